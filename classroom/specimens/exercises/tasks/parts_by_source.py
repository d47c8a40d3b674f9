"""Right and wrong answers to `attn_class.exercises.tasks.parts_by_source`."""

from functools import partial

from specimens.answers import named


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


def as_dictionaries(pairs, is_test):
    targets = dict(pairs)
    return by_two_filters(list(targets.items()), is_test)


def one_for_each_source(pairs, is_test):
    targets = {form(source): (source, target) for source, target in pairs}
    return by_two_filters(list(targets.values()), is_test)


def every_third_line(pairs, is_test):
    training = [pair for place, pair in enumerate(pairs) if place % 3]
    return training, pairs[::3]


def asks_about_the_target(pairs, is_test):
    training = [pair for pair in pairs if not is_test(pair[1])]
    return training, [pair for pair in pairs if is_test(pair[1])]


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


RIGHT = [by_two_filters, by_a_set_of_test_sources, asks_once, the_rest_is_training]
WRONG = {
    "two_lists_of_pairs": named(
        sources_alone,
        the_test_alone=lambda pairs, is_test: by_two_filters(pairs, is_test)[1],
        filters_that_nobody_has_run=lambda pairs, is_test: (
            filter(lambda pair: not is_test(form(pair[0])), pairs),
            filter(lambda pair: is_test(form(pair[0])), pairs),
        ),
    ),
    "keeps_each_pair": named(
        as_dictionaries,
        one_for_each_source,
        equal_lines_once=lambda pairs, is_test: by_two_filters(list(dict.fromkeys(pairs)), is_test),
        rewritten=lambda pairs, is_test: by_two_filters(
            [(form(source), target) for source, target in pairs], is_test
        ),
        all_in_both=lambda pairs, is_test: (pairs, pairs),
    ),
    "is_test_decides": named(
        every_third_line,
        asks_about_the_target,
        test_first=lambda pairs, is_test: by_two_filters(pairs, is_test)[::-1],
        in_small_letters=lambda pairs, is_test: by_two_filters(
            pairs, lambda source: is_test(source.lower())
        ),
        without_blanks=partial(by_form, lambda source: source.replace(" ", "")),
    ),
    "keeps_the_order": named(
        sorted_lists=lambda pairs, is_test: by_two_filters(sorted(pairs), is_test),
        from_the_end=lambda pairs, is_test: by_two_filters(pairs[::-1], is_test),
    ),
    "other_blanks_do_not_leak": named(
        blanks_as_they_are=partial(by_form, str),
        stripped=partial(by_form, str.strip),
        no_blanks_at_all=partial(by_form, lambda source: source.replace("  ", " ")),
        pairs_of_blanks=partial(by_form, lambda source: source.strip().replace("  ", " ")),
    ),
    "runs": named(
        asks_about_the_pair=lambda pairs, is_test: by_two_filters(
            [pair.source for pair in pairs], is_test
        )
    ),
}
