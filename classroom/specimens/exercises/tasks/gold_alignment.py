"""Right and wrong answers to `attn_class.exercises.tasks.gold_alignment`."""

import datetime
from functools import partial

import numpy as np
import torch

from attn_class.exercises.tasks.gold_alignment import solution
from attn_course.tasks.dates import DatePair, gold_possible
from specimens.answers import changed, named


def by_loop(fields):
    gold = torch.zeros(10, len(fields), dtype=torch.bool)
    for i, wanted in enumerate("yyyy-mm-dd"):
        for j, made in enumerate(fields):
            if wanted != "-" and wanted == made:
                gold[i, j] = True
    return gold


def by_rows(fields):
    gold = torch.zeros((10, len(fields))).bool()
    for rows, field in ((slice(0, 4), "y"), (slice(5, 7), "m"), (slice(8, 10), "d")):
        gold[rows] = torch.tensor([made == field for made in fields])
    return gold


def in_numpy(fields):
    target, source = np.array(list("yyyy-mm-dd")), np.array(list(fields))
    return (target[:, None] == source) & np.isin(source, list("ymd"))


def by_the_package(fields):
    known = tuple(field if field in "ymd" else "" for field in fields)
    return gold_possible(DatePair(fields, "2000-01-01", "", "", datetime.date(2000, 1, 1), known))


def as_lists(fields):
    return by_loop(fields).tolist()


def normalised(fields):
    gold = by_loop(fields).double()
    return gold / gold.sum(dim=1, keepdim=True).clamp(min=1)


def hyphens_read_the_field_before(fields):
    gold = by_loop(fields)
    gold[[4, 7]] = gold[[3, 6]]
    return gold


def day_runs_to_the_end(fields):
    gold = by_loop(fields)
    gold[8:, fields.index("d") :] |= torch.tensor([made not in "ym" for made in fields])[
        fields.index("d") :
    ]
    return gold


def from_first_to_last_but_one_further(fields):
    gold = torch.zeros(10, len(fields), dtype=torch.bool)
    for rows, field in ((slice(0, 4), "y"), (slice(5, 7), "m"), (slice(8, 10), "d")):
        gold[rows, fields.index(field) : fields.rindex(field) + 2] = True
    return gold


def off_by_one_row(fields):
    gold = by_loop(fields).roll(1, dims=0)
    gold[[4, 7]] = False
    return gold


def year_copied_digit_by_digit(fields):
    gold = by_loop(fields)
    years = [j for j, made in enumerate(fields) if made == "y"]
    gold[:4] = False
    for i, j in zip(range(3, -1, -1), reversed(years), strict=False):
        gold[i, j] = True
    return gold


def always_this_format(fields):
    gold = torch.zeros(10, len(fields), dtype=torch.bool)
    gold[:4, :4] = gold[5:7, 5:6] = gold[8:, 7:8] = True
    return gold & torch.tensor([made in "ymd" for made in fields])


def only_two_letters_of_the_month(fields):
    gold = by_loop(fields)
    months = [j for j, made in enumerate(fields) if made == "m"]
    gold[:, months[2:]] = False
    return gold


def month_one_row_late(fields):
    gold = by_loop(fields)
    gold[[5, 6]] = torch.stack([torch.zeros(len(fields), dtype=torch.bool), gold[5]])
    return gold


def only_the_last_row_of_a_short_day(fields):
    gold = by_loop(fields)
    if fields.count("d") == 1:
        gold[8] = False
    return gold


but = partial(changed, solution)
RIGHT = [by_loop, by_rows, in_numpy, by_the_package, as_lists]
WRONG = {
    "rows_are_targets": named(
        transposed=lambda fields: by_loop(fields).T,
        one_row_for_a_field=lambda fields: by_loop(fields)[[0, 5, 8]],
        rows_without_hyphens=lambda fields: by_loop(fields)[[0, 1, 2, 3, 5, 6, 8, 9]],
    ),
    "is_boolean": named(normalised, as_numbers=lambda fields: by_loop(fields).float()),
    "hyphens_have_no_link": named(
        hyphens_read_the_field_before,
        hyphens_read_separators=but(
            "made == field and field", '(made == field) if field in "ymd" else made not'
        ),
        hyphens_read_hyphens=but(' and field in "ymd"', ""),
    ),
    "other_characters_have_no_link": [day_runs_to_the_end, from_first_to_last_but_one_further],
    "year_reads_the_year": named(
        off_by_one_row,
        year_copied_digit_by_digit,
        always_this_format,
        nothing=lambda fields: torch.zeros(10, len(fields), dtype=torch.bool),
    ),
    "month_reads_the_month": named(
        only_two_letters_of_the_month,
        month_one_row_late,
        month_and_day_swapped=lambda fields: by_loop(fields.translate(str.maketrans("md", "dm"))),
    ),
    "day_reads_the_day": [only_the_last_row_of_a_short_day],
    "runs": named(takes_the_source_too=lambda source, fields: by_loop(fields)),
}
