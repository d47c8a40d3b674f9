import torch

from attn_class.own_claim import claim_pairs, own_claim
from attn_course.measures import correct
from attn_course.models.translator import fixed_context
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import Settings, train

OWN = own_claim("a7811cc4")
SYMBOLS = Vocabulary(OWN.letters)


def built(condition):
    """An untrained model. The control is given the first state at every step, not the last."""
    sizes = {"embedding_size": 24, "state_size": OWN.state_size, "cell": OWN.cell}
    every_step = condition != "start only"
    model = fixed_context(len(SYMBOLS), len(SYMBOLS), **sizes, every_step=every_step)
    if condition == "control":

        def first_place(state, memory):
            weights = torch.zeros(len(state), 1, memory.annotations.shape[1])
            weights[..., 0] = 1
            return weights

        model.decoder.look = first_place
    return model


def tests(seed, length):
    """What a seed is tested on, of one length."""
    return claim_pairs(OWN, 200, 1000 + 10 * seed + length, "test", [length])


def run(condition, seed, steps, rate, choosing=False):
    """Train one model and test it: a row for each length."""
    some = claim_pairs(OWN, 64 * steps, seed)
    settings = Settings(epochs=1, batch_size=64, learning_rate=rate)
    corpus = Corpus(some, SYMBOLS, SYMBOLS)
    model, history = train(lambda: built(condition), corpus, seed=seed, settings=settings)
    parameters, rows = sum(part.numel() for part in model.parameters()), []
    for length in OWN.lengths:
        unseen = tests(seed, length)
        if choosing:
            tested = {pair.source for other in OWN.seeds for pair in tests(other, length)}
            unseen = [pair for pair in unseen if pair.source not in tested]
            if not unseen:
                continue
        results = answer(model, [pair.source for pair in unseen], SYMBOLS, SYMBOLS)
        right = correct([result.text for result in results], [pair.target for pair in unseen])
        budget = (len(history.losses), len(some), parameters, rate)
        rows.append((condition, seed, *budget, length, int(right.sum()), len(unseen)))
    return rows
