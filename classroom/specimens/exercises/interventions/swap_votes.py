"""Other right answers to `attn_class.exercises.interventions.swap_votes`."""


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


def by_places(written, one, other, read_one, read_other, start, stop):
    both = [k for k in range(len(one)) if (read_one[k], read_other[k]) == (one[k], other[k])]
    field = slice(start, stop)
    return tuple(
        sum(written[k][field] == asked[k][field] for k in both) / len(both)
        for asked in (other, one)
    )


RIGHT = [by_lists, by_means, by_places]
