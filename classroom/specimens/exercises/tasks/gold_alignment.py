import datetime

import numpy as np
import torch

from attn_course.tasks.dates import DatePair, gold_possible


def by_loop(fields):
    gold = torch.zeros(10, len(fields), dtype=torch.bool)
    for i, wanted in enumerate("yyyy-mm-dd"):
        for j, field in enumerate(fields):
            if wanted != "-" and wanted == field:
                gold[i, j] = True
    return gold


def by_rows(fields):
    gold = torch.zeros((10, len(fields))).bool()
    for rows, field in ((slice(0, 4), "y"), (slice(5, 7), "m"), (slice(8, 10), "d")):
        gold[rows] = torch.tensor([one == field for one in fields])
    return gold


def in_numpy(fields):
    target, source = np.array(list("yyyy-mm-dd")), np.array(list(fields))
    return (target[:, None] == source) & np.isin(source, list("ymd"))


def by_the_package(fields):
    known = tuple(field if field in "ymd" else "" for field in fields)
    return gold_possible(DatePair(fields, "2000-01-01", "", "", datetime.date(2000, 1, 1), known))


def as_lists(fields):
    return by_loop(fields).tolist()


WRONG = {"is_boolean": [lambda fields: by_loop(fields).float()]}
