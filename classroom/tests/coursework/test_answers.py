"""Right answers in any style get full marks, wrong ones lose the points meant for them."""

import re

import pytest
from courseworks import OWN, code_of, made
from sweeps import every, examples

from specimens.coursework.tried import (
    answers_by_assignment,
    findings,
    function_of,
    hidden_tests,
    lost,
    meant,
)

ANSWERS = answers_by_assignment()
LARGER = {
    "attention-from-an-empty-file": "additive_scores masked_softmax attend_backward decode",
    "find-the-circuit": "mapped prefix_scores ablated routed",
    "gpt-from-an-empty-file": "attended read written compared",
    "the-bottleneck": "target_of pairs",
    "defend-or-refute": "verdict best_rates",
    "a-project": "read_pairs split error_kind",
}
TRIED = {
    name: [*((answer, ()) for answer in answers.all_right()), *answers.all_wrong()]
    for name, answers in ANSWERS.items()
}
ALL = [(name, *pair) for name, tried in TRIED.items() for pair in tried]
SEEDS = range(4)


@pytest.mark.parametrize(
    ("assignment", "answer", "failed", "seed"),
    [(*row, SEEDS[at % 4]) for at, row in enumerate(every(2, ALL))],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_an_answer_loses_the_points_that_are_meant_for_it_and_no_others(
    assignment, answer, failed, seed
):
    exercise = hidden_tests(assignment)[function_of(answer)]
    results = findings(exercise, answer, OWN, seed)
    assert lost(results) == meant(exercise, failed)
    assert all(one.hint for one in results if one.property.name in failed[:1])


@pytest.mark.parametrize("assignment", LARGER)
def test_the_larger_parts_are_tried_with_five_right_and_ten_wrong_answers(assignment):
    for function in LARGER[assignment].split():
        assert len(ANSWERS[assignment].right[function]) >= 5
        assert len(ANSWERS[assignment].wrong[function]) >= 10


@pytest.mark.parametrize("assignment", ANSWERS)
def test_an_answer_has_one_mark_whatever_the_seed(assignment):
    """In a sample, each answer above has one of the seeds, and none has all of them."""
    answers = ANSWERS[assignment]
    right = ((answer, ()) for answer in answers.all_right()[::4])
    for answer, failed in (*right, *answers.all_wrong()[::4]):
        exercise = hidden_tests(assignment)[function_of(answer)]
        for seed in SEEDS[: examples(4, 0)]:
            results = findings(exercise, answer, OWN, seed)
            assert lost(results) == meant(exercise, failed), answer.__name__


@pytest.mark.parametrize("assignment", ANSWERS)
def test_every_property_of_a_function_is_lost_by_an_answer(assignment):
    for function, wrong in ANSWERS[assignment].wrong.items():
        lacking = {name for failed in wrong.values() for name in failed}
        wanted = {one.name for one in hidden_tests(assignment)[function].properties}
        assert wanted <= lacking, function


WORDS = {
    "softmax": "softmax functions",
    "logsumexp": "`logsumexp`",
    "attention": "`scaled_dot_product_attention`",
    "autograd": "utomatic differentiation",
}
FORBIDDEN = {
    "masked_softmax": "lambda scores, mask: torch.softmax(scores, dim=-1)",
    "attend": "lambda q, k, x, n, W, U, v: torch.logsumexp(x, dim=-1)",
    "softmax_backward": "lambda g, a: torch._softmax_backward_data(g, a, -1, a.dtype)",
    "attended": "lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v)",
}


@pytest.mark.parametrize("name", ["attention-from-an-empty-file", "gpt-from-an-empty-file"])
def test_what_is_forbidden_is_said_and_raises_an_error_in_the_notebook(name):
    notebook = made(name)[f"{name}.ipynb"]
    code, names = code_of(notebook), {}
    exec("import torch\n" + next(cell for cell in code if "def without(" in cell), names)
    for function, exercise in hidden_tests(name).items():
        for kind in exercise.without:
            assert WORDS[kind] in notebook, (function, kind)
        if exercise.without:
            kinds = ", ".join(f'"{kind}"' for kind in exercise.without)
            tries = rf"without\({kinds}\):\n.*\b{function}\("
            (tried,) = (cell for cell in code if re.search(tries, cell))
            if function in FORBIDDEN:
                names[function] = eval(FORBIDDEN[function], names)
                with pytest.raises(RuntimeError, match="may not be used in this exercise"):
                    exec(tried, names)
