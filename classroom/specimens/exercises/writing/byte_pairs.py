"""Right and wrong answers to `attn_class.exercises.writing.byte_pairs`."""

import re
from collections import Counter
from functools import partial
from itertools import pairwise

from attn_class.exercises.writing.byte_pairs import solution
from specimens.answers import changed, named


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


def commonest_letters(words, count):
    pairs = Counter()
    for word in words:
        for pair in pairwise(word):
            pairs[pair] += words[word]
    return [pair for pair, _ in pairs.most_common(count)]


but = partial(changed, solution)
RIGHT = [by_while, by_replacing, by_counts_kept]
RIGHT += named(as_lists=but("append((a, b))", "append([a, b])"))
WRONG = {
    "as_many_as_asked": named(
        one_too_few=but("range(count)", "range(count - 1)"),
        joined_texts=but("merges.append((a, b))", "merges.append(a + b)"),
        the_tokens=but("return merges", "return [a + b for a, b in merges]"),
    ),
    "commonest_first": named(
        each_word_once=but("+= times", "+= 1"),
        rarest=but("max(pairs", "min(pairs"),
        swapped=but("merges.append((a, b))", "merges.append((b, a))"),
        last_first=lambda words, count: solution(words, count + 1)[1:],
    ),
    "joined_again": named(
        commonest_letters,
        never_joined=but("parts[word] = whole", "pass"),
        joined_the_wrong_way=but("whole[-1] = a + b", "whole[-1] = b + a"),
    ),
    "left_to_right": named(
        overlapping=but("whole[-1] = a + b", "whole[-1:] = [a + b, b][: 1 + (a == b)]"),
        first_of_each_word=but("part == b:", "part == b and a + b not in whole:"),
    ),
    "commonest_each_time": named(
        in_two_words_at_most=but(
            "part == b:", "part == b and sum(old.count(a + b) for old in parts.values()) < 2:"
        )
    ),
    "runs": named(forgets_a_name=but("whole.append(part)", "whole.append(token)")),
}
