from string import ascii_lowercase


def by_loop(typed, words):
    near = []
    for word in words:
        if len(word) != len(typed):
            continue
        differ = 0
        for k in range(len(word)):
            differ += word[k] != typed[k]
        if differ == 1:
            near.append(word)
    return near


def by_edits(typed, words):
    near = {
        typed[:k] + letter + typed[k + 1 :]
        for k in range(len(typed))
        for letter in ascii_lowercase
        if letter != typed[k]
    }
    return tuple(word for word in words if word in near)
