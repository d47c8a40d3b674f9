"""Check the arrays of a trained model that a widget runs in the page.

``shared/bahdanau.js`` computes with them, under the names of the model's state_dict.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

_KEY_BIAS = "decoder.score.key_projection.bias"  # the only array that a model may lack


def fitting(
    arrays: Mapping[str, np.ndarray],
    source_symbols: int,
    target_symbols: int,
    *,
    score: str = "additive",
    directions: int = 2,
) -> dict[str, np.ndarray]:
    """The arrays in a fixed order, once their names and shapes fit together.

    arrays                          the state_dict of a `Translator`, as NumPy arrays
    source_symbols, target_symbols  how many symbols the vocabularies hold
    score                           "additive" or "dot"
    directions                      of the encoder, 2 or 1

    An array that is missing, unknown, or of the wrong shape is a ValueError.
    """
    found = {name: np.asarray(array) for name, array in arrays.items()}
    expected = _expected(found, source_symbols, target_symbols, score == "additive", directions)
    missing, extra = set(expected) - {_KEY_BIAS} - set(found), set(found) - set(expected)
    if missing or extra:
        raise ValueError(
            f"arrays must be those of a model with GRU cells and the {score} score; "
            f"missing: {sorted(missing) or 'none'}; unknown: {sorted(extra) or 'none'}"
        )
    for name, shape in expected.items():
        if name in found and found[name].shape != shape:
            raise ValueError(
                f"{name} must have the shape {shape} to fit the other arrays and the "
                f"vocabularies; got {found[name].shape}"
            )
    return {name: found[name] for name in expected if name in found}


def _axis(arrays: Mapping[str, np.ndarray], name: str, axis: int) -> int:
    """A size that the other arrays must fit; -1 for a missing array, which is reported later."""
    array = arrays.get(name)
    return -1 if array is None or array.ndim != 2 else array.shape[axis]


def _expected(
    arrays: Mapping[str, np.ndarray],
    source_symbols: int,
    target_symbols: int,
    additive: bool,
    directions: int,
) -> dict[str, tuple[int, ...]]:
    encoder = _axis(arrays, "encoder.rnn.weight_hh_l0", 1)
    embedding = _axis(arrays, "encoder.embedding.weight", 1)
    target_embedding = _axis(arrays, "decoder.embedding.weight", 1)
    state = _axis(arrays, "decoder.cell.weight_hh", 1)
    hidden = _axis(arrays, "decoder.score.query_projection.weight", 0)
    annotation = directions * encoder
    encoders = {
        f"encoder.rnn.{name}_l0{direction}": shape
        for direction in ("", "_reverse")[:directions]
        for name, shape in _gru(embedding, encoder).items()
    }
    score = {
        "decoder.score.query_projection.weight": (hidden, state),
        "decoder.score.key_projection.weight": (hidden, annotation),
        _KEY_BIAS: (hidden,),
        "decoder.score.energy.weight": (1, hidden),
    }
    cell = {
        f"decoder.cell.{name}": shape
        for name, shape in _gru(target_embedding + annotation, state).items()
    }
    return {
        "encoder.embedding.weight": (source_symbols, embedding),
        **encoders,
        "decoder.embedding.weight": (target_symbols, target_embedding),
        **(score if additive else {}),
        "decoder.start.weight": (state, encoder),
        "decoder.start.bias": (state,),
        **cell,
        "decoder.readout.weight": (target_symbols, state + annotation),
        "decoder.readout.bias": (target_symbols,),
    }


def _gru(inputs: int, state: int) -> dict[str, tuple[int, ...]]:
    return {
        "weight_ih": (3 * state, inputs),
        "weight_hh": (3 * state, state),
        "bias_ih": (3 * state,),
        "bias_hh": (3 * state,),
    }
