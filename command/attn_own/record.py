"""The numbers of a report card for other programs; ``json.txt`` explains the keys."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np

from attn_own import verdicts
from attn_own.drawings import smoothed
from attn_own.findings import CardFindings

_FACTS = (  # facts of a training; others are no numbers of the card, or stand elsewhere
    *("pairs", "left_out", "rewritten", "several", "repeated", "longest_source", "longest_target"),
    *("parameters", "rate", "steps", "seconds", "device", "commonest", "own_files"),
)


def record(findings: CardFindings) -> str:
    """All numbers of the card, as strict JSON: there is no NaN and no infinity."""
    trained, history = findings.trained, findings.trained.history
    steps, losses = smoothed(history["losses"])
    rows = zip(findings.pairs, findings.answers, findings.right, strict=True)
    counts = Counter(findings.mistakes).most_common()
    values = {
        "corpus": trained.facts["corpus"],
        "on": findings.on,
        "choices": trained.choices,
        "made": {name: trained.facts.get(name) for name in _FACTS},
        "symbols": {
            "source": len(trained.source_vocabulary.symbols),
            "target": len(trained.target_vocabulary.symbols),
        },
        "training": {
            **history,
            "steps": steps,
            "losses": losses,
            **verdicts.course(history)._asdict(),
        },
        "limits": findings.limits,
        "pairs": [
            {
                "source": pair.source,
                "target": pair.target,
                "group": pair.group,
                "answer": answer.text,
                "right": well,
                "cut": trained.was_cut(answer),
            }
            for pair, answer, well in rows
        ],
        "right": findings.overall,
        "near": findings.near,
        "curve": findings.curve,
        "rivals": [
            {"name": rival.name, "right": rival.right, **rival.compared._asdict()}
            for rival in findings.rivals
        ],
        "lacking": findings.lacking,
        "by_length": findings.by_length,
        "by_group": findings.by_group,
        "mistakes": [{**mistake._asdict(), "count": count} for mistake, count in counts],
        "alignment": findings.alignment,
        "questions": findings.questions,
    }
    return json.dumps(_plain(values), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _plain(value: object) -> object:
    """Named tuples as objects with their fields, and NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value
