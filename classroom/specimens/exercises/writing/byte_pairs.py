import re
from collections import Counter
from itertools import pairwise


def by_while(words, count):
    parts, merges = {word: [*word] for word in words}, []
    while len(merges) < count:
        pairs = {}
        for word in words:
            for a, b in zip(parts[word], parts[word][1:], strict=False):
                pairs[a, b] = pairs.get((a, b), 0) + words[word]
        best = sorted(pairs.items(), key=lambda item: -item[1])[0][0]
        merges += [best]
        for word in parts:
            at = 0
            while at < len(parts[word]) - 1:
                if tuple(parts[word][at : at + 2]) == best:
                    parts[word][at : at + 2] = ["".join(best)]
                at += 1
    return merges


def by_replacing(words, count):
    """As texts with a bar between the parts."""
    texts, merges = {word: "|" + "|".join(word) + "|" for word in words}, []
    for _ in range(count):
        pairs = Counter()
        for word, text in texts.items():
            for pair in pairwise(text[1:-1].split("|")):
                pairs[pair] += words[word]
        (a, b), _ = pairs.most_common(1)[0]
        merges.append((a, b))
        pattern = re.compile(rf"(?<=\|){a}\|{b}(?=\|)")
        texts = {word: pattern.sub(a + b, text) for word, text in texts.items()}
    return merges


def by_counts_kept(words, count):
    parts, merges, pairs = {word: [*word] for word in words}, [], Counter()

    def add(word, sign):
        for pair in pairwise(parts[word]):
            pairs[pair] += sign * words[word]

    for word in words:
        add(word, 1)
    for _ in range(count):
        a, b = pairs.most_common(1)[0][0]
        merges.append((a, b))
        for word in words:
            add(word, -1)
            whole = []
            for part in parts[word]:
                if whole[-1:] == [a] and part == b:
                    whole[-1] += b
                else:
                    whole += [part]
            parts[word] = whole
            add(word, 1)
    return tuple(merges)


RIGHT = [("append((a, b))", "append([a, b])")]
