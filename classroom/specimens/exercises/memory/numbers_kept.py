def with_an_if(positions, groups, key_size, value_size, window):
    if window is not None and window < positions:
        positions = window
    return positions * groups * (key_size + value_size), key_size * value_size * groups


def as_floats(positions, groups, key_size, value_size, window):
    read = float(min(positions, window or positions))
    return read * groups * (key_size + value_size), float(groups * key_size * value_size)
