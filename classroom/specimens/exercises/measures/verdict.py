import math
import statistics


def by_seed(ours, theirs, margin):
    words = set()
    for one, other in zip(ours.tolist(), theirs.tolist(), strict=True):
        gains = [b - a for a, b in zip(one, other, strict=True)]
        mean = sum(gains) / len(gains)
        error = 2 * statistics.stdev(gains) / math.sqrt(len(gains))
        if mean - error > margin:
            words.add("better")
        elif mean + error < -margin:
            words.add("worse")
        elif abs(mean) + error < margin:
            words.add("level")
        else:
            words.add("not settled")
    return words.pop() if len(words) == 1 else "not settled"


def by_the_worst_seed(ours, theirs, margin):
    gain = theirs - ours
    error = 2 * gain.std(dim=1) / gain.shape[1] ** 0.5
    low, high = (gain.mean(dim=1) - error).min(), (gain.mean(dim=1) + error).max()
    if low > margin:
        return "better"
    if high < -margin:
        return "worse"
    return "level" if -margin < low and high < margin else "not settled"
