def _form(source):
    return " ".join(source.split())


def by_two_filters(pairs, is_test):
    training = [pair for pair in pairs if not is_test(_form(pair[0]))]
    return training, [pair for pair in pairs if is_test(_form(pair[0]))]


def by_a_set_of_test_sources(pairs, is_test):
    sources = {_form(source) for source, _ in pairs}
    test = set(filter(is_test, sources))
    parts = {True: [], False: []}
    for pair in pairs:
        parts[_form(pair[0]) in test].append(pair)
    return [parts[False], parts[True]]


def asks_once(pairs, is_test):
    test = {}
    for source, _ in pairs:
        form = " ".join(source.split())
        test[source] = test[form] = bool(test[form] if form in test else is_test(form))
    return tuple([pair for pair in pairs if test[pair[0]] is side] for side in (False, True))


def the_rest_is_training(pairs, is_test):
    test = [pair for pair in pairs if is_test(" ".join(pair[0].split()))]
    sources = {source for source, _ in test}
    return [pair for pair in pairs if pair[0] not in sources], test
