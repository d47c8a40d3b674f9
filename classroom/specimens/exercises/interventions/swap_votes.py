"""Right and wrong answers to `attn_class.exercises.interventions.swap_votes`."""

from specimens.answers import changed, named


def counted(written, one, other, read_one, read_other, part, **how):
    """The right answer, or one that goes wrong as the names in ``how`` say."""
    rows = list(zip(written, one, other, read_one, read_other, strict=True))
    kept = [
        row
        for row in rows
        if how.get("all_pairs")
        or (
            (row[3] == row[1] or how.get("other_alone"))
            and (row[4] == row[2] or how.get("one_alone"))
        )
    ]
    size = len(rows) if how.get("of_all") else len(kept)
    theirs = sum(row[0][part] == row[2][part] for row in kept) / size
    own = sum(row[0][part] == row[1][part] for row in kept) / size
    return theirs, own


def by_lists(written, one, other, read_one, read_other, start, stop):
    return counted(written, one, other, read_one, read_other, slice(start, stop))


def by_means(written, one, other, read_one, read_other, start, stop):
    good = [i for i in range(len(one)) if (read_one[i], read_other[i]) == (one[i], other[i])]

    def share(target):
        return sum(written[i][start:stop] == target[i][start:stop] for i in good) / len(good)

    return [share(other), share(one)]


def wrong(name, **how):
    def answer(written, one, other, read_one, read_other, start, stop):
        return counted(written, one, other, read_one, read_other, slice(start, stop), **how)

    answer.__name__ = name
    return answer


def the_rest_is_own(*inputs):
    theirs, _ = by_lists(*inputs)
    return theirs, 1 - theirs


def by_places(written, one, other, read_one, read_other, start, stop):
    both = [k for k in range(len(one)) if (read_one[k], read_other[k]) == (one[k], other[k])]
    field = slice(start, stop)
    return tuple(
        sum(written[k][field] == asked[k][field] for k in both) / len(both)
        for asked in (other, one)
    )


def shares_of_the_votes(written, one, other, read_one, read_other, start, stop):
    theirs, own = by_places(written, one, other, read_one, read_other, start, stop)
    return theirs / (theirs + own), own / (theirs + own)


RIGHT = [by_lists, by_means, by_places]
WRONG = {
    "two_shares": named(
        turned_round=lambda *inputs: by_lists(*inputs)[::-1],
        counts=lambda *inputs: tuple(each * len(inputs[0]) for each in by_lists(*inputs)),
        one_share=lambda *inputs: by_lists(*inputs)[0],
    ),
    "a_third_counts_for_neither": [the_rest_is_own, shares_of_the_votes],
    "only_the_field_is_compared": named(
        whole_texts=changed(by_lists, "slice(start, stop)", "slice(None)"),
        up_to_the_field=changed(by_lists, "slice(start, stop)", "slice(0, stop)"),
        stop_included=changed(by_lists, "slice(start, stop)", "slice(start, stop + 1)"),
    ),
    "misread_pairs_are_left_out": [
        wrong("all_pairs", all_pairs=True),
        wrong("of_all", of_all=True),
        wrong("one_alone", one_alone=True),
        wrong("other_alone", other_alone=True),
    ],
    "runs": named(too_few=lambda written, one, other: (1.0, 0.0)),
}
