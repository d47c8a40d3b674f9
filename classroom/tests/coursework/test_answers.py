"""Right answers in any style get full marks, wrong ones lose the points meant for them."""

import json
import re

import pytest
from sweeps import examples

from attn_class.grading import variants
from specimens.coursework.tried import (
    answers_by_assignment,
    findings,
    function_of,
    hidden_tests,
    lost,
    meant,
)

OWN = variants.own("ada", "a seed for demonstration only")
ANSWERS = answers_by_assignment()
LARGER = {
    "attention-from-an-empty-file": (
        "additive_scores",
        "masked_softmax",
        "attend_backward",
        "decode",
    ),
    "a-reader-of-dates": ("encode", "write", "train", "read"),
    "the-bottleneck": ("target_of", "pairs"),
    "defend-or-refute": ("verdict", "best_rates"),
    "a-project": ("read_pairs", "split", "error_kind"),
}
RIGHT = [(name, each) for name, answers in ANSWERS.items() for each in answers.each_right()]
WRONG = [(name, *each) for name, answers in ANSWERS.items() for each in answers.each_wrong()]


def label(value):
    return getattr(value, "__name__", None)


@pytest.mark.parametrize(("assignment", "answer"), RIGHT, ids=label)
def test_right_answers_get_full_marks(assignment, answer):
    assert lost(findings(hidden_tests(assignment)[function_of(answer)], answer, OWN)) == set()


@pytest.mark.parametrize(("assignment", "answer", "failed"), WRONG, ids=label)
def test_wrong_answers_lose_the_points_meant_for_them(assignment, answer, failed):
    exercise = hidden_tests(assignment)[function_of(answer)]
    found = findings(exercise, answer, OWN)
    assert lost(found) == meant(exercise, failed)
    assert next(each for each in found if each.property.name == failed[0]).hint


@pytest.mark.parametrize("assignment", LARGER)
def test_the_larger_parts_are_tried_with_five_right_and_ten_wrong_answers(assignment):
    for function in LARGER[assignment]:
        assert len(ANSWERS[assignment].right[function]) >= 5
        assert len(ANSWERS[assignment].wrong[function]) >= 10


@pytest.mark.parametrize("assignment", ANSWERS)
def test_an_answer_has_one_mark_whatever_the_seed(assignment):
    answers = ANSWERS[assignment]
    for answer, failed in (
        *((each, ()) for each in answers.each_right()[::4]),
        *answers.each_wrong()[::4],
    ):
        exercise = hidden_tests(assignment)[function_of(answer)]
        for seed in range(examples(4, 1)):
            found = findings(exercise, answer, OWN, seed)
            assert lost(found) == meant(exercise, failed), answer.__name__


@pytest.mark.parametrize("assignment", ANSWERS)
def test_every_property_of_a_function_is_lost_by_an_answer(assignment):
    for function, wrong in ANSWERS[assignment].wrong.items():
        found = {each for failed in wrong.values() for each in failed}
        wanted = {each.name for each in hidden_tests(assignment)[function].properties}
        assert wanted <= found, function


SAID = {
    "softmax": "softmax functions",
    "logsumexp": "`logsumexp`",
    "attention": "`scaled_dot_product_attention`",
    "recurrent layers": "recurrent layers",
    "autograd": "utomatic differentiation",
    "optimisers": "optimisers",
}
FORBIDDEN = {
    "masked_softmax": "lambda scores, mask: torch.softmax(scores, dim=-1)",
    "attend": "lambda q, k, x, n, W, U, v: torch.logsumexp(x, dim=-1)",
    "softmax_backward": "lambda g, a: torch._softmax_backward_data(g, a, -1, a.dtype)",
    "step": "lambda x, h, G: torch.nn.GRUCell(1, 1)(x, h)",
    "train": "lambda w, loss, batches, rates: torch.optim.Adam(w)",
}


@pytest.mark.parametrize("made", ["attention", "reader"])
def test_what_is_forbidden_is_said_and_raises_an_error_in_the_notebook(request, exercises_of, made):
    files = request.getfixturevalue(made)
    (notebook,) = (text for name, text in files.items() if "/" not in name)
    cells = json.loads(notebook)["cells"]
    text, code = (
        ["".join(each["source"]) for each in cells if each["cell_type"] == kind]
        for kind in ("markdown", "code")
    )
    names: dict = {}
    exec("import torch\n" + next(each for each in code if "def without(" in each), names)
    for name, exercise in exercises_of(files).items():
        for kind in exercise.without:
            assert any(SAID[kind] in each for each in text), (name, kind)
        if exercise.without:
            kinds = ", ".join(f'"{each}"' for each in exercise.without)
            (tried,) = (
                each for each in code if re.search(rf"without\({kinds}\):\n.*\b{name}\(", each)
            )
            if name in FORBIDDEN:
                names[name] = eval(FORBIDDEN[name], names)
                with pytest.raises(RuntimeError, match="may not be used in this exercise"):
                    exec(tried, names)
