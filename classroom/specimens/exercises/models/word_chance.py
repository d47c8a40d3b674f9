from string import ascii_lowercase


def by_loop(weights, letters, typed, word):
    for j in range(len(typed)):
        if typed[j] != word[j]:
            return float(weights[j]) * float(letters[ascii_lowercase.index(word[j])])
    return 0.0


def over_all_places(weights, letters, typed, word):
    total = 0.0
    for j, letter in enumerate(word):
        total = total + (letter != typed[j]) * weights[j] * letters[ord(letter) - 97]
    return total
