def by_lists(written, one, other, read_one, read_other, start, stop):
    rows, part = zip(written, one, other, read_one, read_other, strict=True), slice(start, stop)
    rows = [row for row in rows if row[3:] == row[1:3]]
    theirs = sum(row[0][part] == row[2][part] for row in rows) / len(rows)
    return theirs, sum(row[0][part] == row[1][part] for row in rows) / len(rows)


def by_means(written, one, other, read_one, read_other, start, stop):
    good = [i for i in range(len(one)) if (read_one[i], read_other[i]) == (one[i], other[i])]

    def share(target):
        return sum(written[i][start:stop] == target[i][start:stop] for i in good) / len(good)

    return [share(other), share(one)]


def by_places(written, one, other, read_one, read_other, start, stop):
    both = [k for k in range(len(one)) if (read_one[k], read_other[k]) == (one[k], other[k])]
    field = slice(start, stop)
    return tuple(
        sum(written[k][field] == target[k][field] for k in both) / len(both)
        for target in (other, one)
    )
