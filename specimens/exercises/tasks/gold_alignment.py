"""Right and wrong answers to `attn_course.classroom.exercises.tasks.gold_alignment`."""

import datetime

import numpy as np
import torch

from attn_course.tasks.dates import DatePair, gold_possible


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


def transposed(fields):
    return by_loop(fields).T


def one_row_for_a_field(fields):
    return by_loop(fields)[[0, 5, 8]]


def rows_without_hyphens(fields):
    return by_loop(fields)[[0, 1, 2, 3, 5, 6, 8, 9]]


def as_lists(fields):
    return by_loop(fields).tolist()


def as_numbers(fields):
    return by_loop(fields).float()


def normalised(fields):
    gold = by_loop(fields).double()
    return gold / gold.sum(dim=1, keepdim=True).clamp(min=1)


def hyphens_read_hyphens(fields):
    return torch.tensor([[made == wanted for made in fields] for wanted in "yyyy-mm-dd"])


def hyphens_read_separators(fields):
    gold = by_loop(fields)
    gold[[4, 7]] = torch.tensor([made not in "ymd" for made in fields])
    return gold


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


def month_and_day_swapped(fields):
    return by_loop(fields.translate(str.maketrans("md", "dm")))


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


def nothing(fields):
    return torch.zeros(10, len(fields), dtype=torch.bool)


def takes_the_source_too(source, fields):
    return by_loop(fields)


RIGHT = [by_loop, by_rows, in_numpy, by_the_package, as_lists]
WRONG = {
    transposed: "rows_are_targets",
    one_row_for_a_field: "rows_are_targets",
    rows_without_hyphens: "rows_are_targets",
    as_numbers: "is_boolean",
    normalised: "is_boolean",
    hyphens_read_hyphens: "hyphens_have_no_link",
    hyphens_read_separators: "hyphens_have_no_link",
    hyphens_read_the_field_before: "hyphens_have_no_link",
    day_runs_to_the_end: "other_characters_have_no_link",
    from_first_to_last_but_one_further: "other_characters_have_no_link",
    off_by_one_row: "year_reads_the_year",
    year_copied_digit_by_digit: "year_reads_the_year",
    always_this_format: "year_reads_the_year",
    nothing: "year_reads_the_year",
    month_and_day_swapped: "month_reads_the_month",
    only_two_letters_of_the_month: "month_reads_the_month",
    month_one_row_late: "month_reads_the_month",
    only_the_last_row_of_a_short_day: "day_reads_the_day",
    takes_the_source_too: "runs",
}
