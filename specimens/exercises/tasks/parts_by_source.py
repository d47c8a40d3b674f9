"""Right and wrong answers to `attn_course.classroom.exercises.tasks.parts_by_source`."""


def form(source):
    return " ".join(source.split())


def by_two_filters(pairs, is_test):
    training = [pair for pair in pairs if not is_test(form(pair[0]))]
    return training, [pair for pair in pairs if is_test(form(pair[0]))]


def by_a_set_of_test_sources(pairs, is_test):
    sources = {form(source) for source, _ in pairs}
    test = set(filter(is_test, sources))
    parts = {True: [], False: []}
    for pair in pairs:
        parts[form(pair[0]) in test].append(pair)
    return [parts[False], parts[True]]


def sources_alone(pairs, is_test):
    training, test = by_two_filters(pairs, is_test)
    return [source for source, _ in training], [source for source, _ in test]


def the_test_alone(pairs, is_test):
    return by_two_filters(pairs, is_test)[1]


def filters_that_nobody_has_run(pairs, is_test):
    return (
        filter(lambda pair: not is_test(form(pair[0])), pairs),
        filter(lambda pair: is_test(form(pair[0])), pairs),
    )


def as_dictionaries(pairs, is_test):
    targets = dict(pairs)
    return by_two_filters(list(targets.items()), is_test)


def one_for_each_source(pairs, is_test):
    targets = {form(source): (source, target) for source, target in pairs}
    return by_two_filters(list(targets.values()), is_test)


def equal_lines_once(pairs, is_test):
    return by_two_filters(list(dict.fromkeys(pairs)), is_test)


def rewritten(pairs, is_test):
    return by_two_filters([(form(source), target) for source, target in pairs], is_test)


def all_in_both(pairs, is_test):
    return pairs, pairs


def test_first(pairs, is_test):
    return by_two_filters(pairs, is_test)[::-1]


def every_third_line(pairs, is_test):
    training = [pair for place, pair in enumerate(pairs) if place % 3]
    return training, pairs[::3]


def in_small_letters(pairs, is_test):
    return by_two_filters(pairs, lambda source: is_test(source.lower()))


def asks_about_the_target(pairs, is_test):
    training = [pair for pair in pairs if not is_test(pair[1])]
    return training, [pair for pair in pairs if is_test(pair[1])]


def sorted_lists(pairs, is_test):
    return by_two_filters(sorted(pairs), is_test)


def from_the_end(pairs, is_test):
    return by_two_filters(pairs[::-1], is_test)


def blanks_as_they_are(pairs, is_test):
    parts = [], []
    for pair in pairs:
        parts[is_test(pair[0])].append(pair)
    return parts


def stripped(pairs, is_test):
    parts = [], []
    for pair in pairs:
        parts[is_test(pair[0].strip())].append(pair)
    return parts


def no_blanks_at_all(pairs, is_test):
    parts = [], []
    for pair in pairs:
        parts[is_test(pair[0].replace("  ", " "))].append(pair)
    return parts


def asks_about_the_pair(pairs, is_test):
    return by_two_filters([pair.source for pair in pairs], is_test)


def asks_once(pairs, is_test):
    said = {}
    for source, _ in pairs:
        form = " ".join(source.split())
        said[source] = said[form] = said[form] if form in said else is_test(form)
    return tuple([pair for pair in pairs if bool(said[pair[0]]) is test] for test in (False, True))


def the_rest_is_training(pairs, is_test):
    test = [pair for pair in pairs if is_test(" ".join(pair[0].split()))]
    sources = {source for source, _ in test}
    return [pair for pair in pairs if pair[0] not in sources], test


def by_form(form, pairs, is_test):
    return tuple(
        [pair for pair in pairs if bool(is_test(form(pair[0]))) is test] for test in (False, True)
    )


def pairs_of_blanks(pairs, is_test):
    return by_form(lambda source: source.strip().replace("  ", " "), pairs, is_test)


def without_blanks(pairs, is_test):
    return by_form(lambda source: source.replace(" ", ""), pairs, is_test)


RIGHT = [by_two_filters, by_a_set_of_test_sources, asks_once, the_rest_is_training]
WRONG = {
    sources_alone: "two_lists_of_pairs",
    the_test_alone: "two_lists_of_pairs",
    filters_that_nobody_has_run: "two_lists_of_pairs",
    as_dictionaries: "keeps_each_pair",
    one_for_each_source: "keeps_each_pair",
    equal_lines_once: "keeps_each_pair",
    rewritten: "keeps_each_pair",
    all_in_both: "keeps_each_pair",
    test_first: "is_test_decides",
    every_third_line: "is_test_decides",
    in_small_letters: "is_test_decides",
    asks_about_the_target: "is_test_decides",
    sorted_lists: "keeps_the_order",
    from_the_end: "keeps_the_order",
    blanks_as_they_are: "other_blanks_do_not_leak",
    stripped: "other_blanks_do_not_leak",
    no_blanks_at_all: "other_blanks_do_not_leak",
    asks_about_the_pair: "runs",
    pairs_of_blanks: "other_blanks_do_not_leak",
    without_blanks: "is_test_decides",
}
