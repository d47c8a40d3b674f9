"""The viewer of heads in a real browser: its arithmetic against PyTorch, and what a reader does."""

from contextlib import contextmanager

import numpy as np
import pytest
import torch
from browsing import of_each
from torch.nn import functional as F
from torch_reader import SOURCE, TARGET, arrays_of
from walking import has, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course.models.translator import transformer
from attn_course.search import answer, greedy
from attn_course.symbols import START
from attn_course.tasks.vocabulary import END
from attn_course.views.widgets.heads_viewer import HeadsViewer

HEADS, PART = 3, 4


def model():
    """A small model, whose weights are large enough that attention is sharp and answers differ."""
    torch.manual_seed(7)
    sizes = {"size": HEADS * PART, "heads": HEADS, "hidden_size": 7, "decoder_layers": 2}
    reader = transformer(len(SOURCE), len(TARGET), **sizes).eval()
    with torch.no_grad():
        for part in reader.parameters():
            part.mul_(1.6).add_(0.1 * torch.randn_like(part))  # norms that change something
        reader.decoder.readout.bias[END] -= 2  # it writes some characters before it ends
    return reader


def viewer(reader=None, **changes):
    options = {"heads": HEADS, "text": "3. Mai 1998", "bits": 32, "samples": ("3/4/05",)}
    arrays = arrays_of(reader or model())
    return HeadsViewer(arrays, SOURCE.symbols, TARGET.symbols, **options | changes)


@contextmanager
def silent(reader, *heads):
    """Zeros in the places of these heads, before W_o mixes them."""
    handles = []
    for kind, layer, head in heads:
        block = (reader.encoder if kind == "encoder" else reader.decoder).blocks[layer]
        attention = block.across if kind == "cross" else block.inside
        part = slice(head * attention.size // HEADS, (head + 1) * attention.size // HEADS)

        def zero(_, inputs, part=part):
            mixed = inputs[0].clone()
            mixed[..., part] = 0
            return (mixed,)

        handles.append(attention.output_projection.register_forward_pre_hook(zero))
    yield
    for handle in handles:
        handle.remove()


def written(reader, text):
    """The greedy answer, and how likely the model finds it with its end."""
    (output,) = answer(reader, [text], SOURCE, TARGET)
    ids = torch.tensor([SOURCE.encode(text)])
    _, _, probabilities = greedy(reader, ids, torch.tensor([ids.shape[1]]))
    return output.text, float(probabilities.prod())


RUN = """async ([ids, forced, silenced]) => {
  const { textReader } = await import("./widgets/shared/bahdanau.js");
  const { translate } = await import("./widgets/shared/transformer.js");
  const isSilent = (...head) => silenced.some((one) => String(one) === String(head));
  const options = { forced, longest: forced.length, isSilent };
  const run = translate(textReader(window.models[0]), ids, options);
  const looks = (layers) => layers.map(({ looks }) => looks.map(({ weights }) => weights));
  return {
    logits: run.steps.map(({ logits }) => [...logits]),
    encoder: looks(run.encoder),
    decoder: looks(run.decoder),
    cross: looks(run.cross),
  };
}"""


def by_head(rows, source):
    """(target head source) as the page has it, with zeros for what is not there yet."""
    whole = [[[*row, *[0] * (source - len(row))] for row in heads] for heads in rows]
    return np.array(whole).transpose(1, 0, 2)


@pytest.mark.parametrize("silenced", [(), (("encoder", 0, 1), ("decoder", 1, 2), ("cross", 0, 0))])
@torch.no_grad()
def test_the_page_computes_what_pytorch_computes(show, silenced):
    reader = model()
    page, rng = show(viewer(reader)), np.random.default_rng(0)
    for length, steps in ((1, 1), (2, 5), (13, 7), (37, 11)):
        ids = torch.tensor([rng.integers(3, len(SOURCE), length).tolist()])
        forced = torch.tensor([rng.integers(3, len(TARGET), steps).tolist()])
        run = page.evaluate(RUN, [ids[0].tolist(), forced[0].tolist(), [*map(list, silenced)]])
        inputs = F.pad(forced[:, :-1], (1, 0), value=START)
        lengths = torch.tensor([length])
        with silent(reader, *silenced):
            logits, _ = reader(ids, lengths, forced)
            encoder = reader.encoder.head_weights(ids, lengths)
            decoder = reader.decoder.head_weights(reader.read(ids, lengths), inputs)
        np.testing.assert_allclose(run["logits"], logits[0], atol=1e-5, rtol=1e-5)
        expected = {"encoder": encoder.inside, "decoder": decoder.inside, "cross": decoder.across}
        for kind, layers in expected.items():
            assert len(run[kind]) == len(layers) == 2
            for ours, torchs in zip(run[kind], layers, strict=True):
                rows = by_head(ours, torchs.shape[-1])
                np.testing.assert_allclose(rows, torchs[0], atol=1e-5, err_msg=kind)


@pytest.fixture(scope="module")
def taught():
    """A small model that has learnt something: to exchange two numbers."""
    torch.manual_seed(0)
    sizes = {"size": 24, "heads": HEADS, "encoder_layers": 1, "hidden_size": 31}
    reader = transformer(len(SOURCE), len(TARGET), **sizes)
    optimiser = torch.optim.AdamW(reader.parameters(), lr=1e-2)
    warm_up = torch.optim.lr_scheduler.LinearLR(optimiser, 0.03, total_iters=30)
    for _ in range(150):
        texts = [drawn() for _ in range(32)]
        sources = torch.tensor([SOURCE.encode(text) for text in texts])
        targets = torch.tensor([[*TARGET.encode(exchanged(text)), END] for text in texts])
        logits, _ = reader(sources, torch.full((32,), sources.shape[1]), targets)
        optimiser.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), targets.flatten()).backward()
        optimiser.step()
        warm_up.step()
    return reader.eval()


def drawn():
    return "/".join(f"{int(number):02}" for number in torch.randint(1, 29, (2,)))


def exchanged(text):
    return "-".join(reversed(text.split("/")))


def test_eight_bits_hardly_ever_change_an_answer(show, taught):
    texts = [drawn() for _ in range(40)]
    expected = [output.text for output in answer(taught, texts, SOURCE, TARGET)]
    right = [text == exchanged(source) for text, source in zip(expected, texts, strict=True)]
    assert np.mean(right) > 0.5, "the test's own model has not learnt its task"
    page, same = show(viewer(taught, bits=8)), 0
    for text, iso in zip(texts, expected, strict=True):
        set_trait(page, "text", text)
        same += trait(page, "result")["iso"] == iso
    assert same >= 37


# ---- what a reader sees and does


THUMBS = (
    "all => all.map((one) => [...one.querySelectorAll('path')].map((p) => p.getAttribute('d')))"
)
PARTS = {
    "below": ".attn-arcs .attn-target",
    "above": ".attn-arcs .attn-source",
    "labels": ".attn-arcs .attn-source @aria-label",
    "checked": ".attn-thumb[aria-checked=true] @aria-label",
    "title": ".attn-bar .attn-title",
    "strips": ".attn-strips @aria-label",
    "digits": ".attn-answer-row >> nth=0 >> .attn-digits",
    "without": ".attn-answer-row >> nth=1",
    "changed": ".attn-answer-row >> nth=1 >> .attn-changed",
    "silenced_ones": ".attn-silenced @aria-label",
    "marks": ".attn-silenced, .attn-changed",
    "pressed": "button:has-text('Silence this head') @aria-pressed",
    "paired": ".attn-arcs .attn-source.attn-paired",
}


def test_it_answers_as_pytorch_does(show):
    reader = model()
    go = walk(show(viewer(reader, text="", longest=20)), **PARTS)
    long = ("3. Mai 1998 " * 50)[:500]
    for text, unknown in {"3. Mai 1998": [], "1": [], long: [], "3/4/05☃": ["☃"]}.items():
        iso, probability = written(reader, text[:20])
        expected = has(iso=iso, whole=iso, changed=[], unknown=unknown)
        go(f"fill Date: {text}", digits=[iso], result=expected)
        go(result=has(probability=pytest.approx(probability, rel=1e-4)))
        words = "That is 500 characters: the model reads the first 20." if text == long else ""
        go(verdict="It never saw “☃” in training" if unknown else [words])


def test_every_head_has_its_picture_and_its_name(show):
    page = show(viewer())
    names = of_each(page.get_by_role("radio"), "one.ariaLabel")
    assert len(names) == len(set(names)) == 6 * HEADS
    assert names[0] == "Encoder, layer 1, head 1"
    assert names[-1] == "Decoder, layer 2 on the source, head 3"
    walk(page, **PARTS)(ask="How many of these 18 heads")
    assert all("".join(lines) for lines in page.locator(".attn-thumb").evaluate_all(THUMBS))


def test_a_head_and_a_place_are_chosen_by_click_and_by_arrow_keys(show):
    page = show(viewer(chosen=("encoder", 0, 0), selected={"side": "target", "index": 2}))
    go, name = walk(page, **PARTS), "Encoder, layer 2, head 3"
    go("click .thumb 5", chosen=["encoder", 1, 2], selected={"side": "target", "index": 2})
    go("key ArrowRight", chosen=["decoder", 0, 0], selected={})  # other characters
    go("key ArrowDown", chosen=["decoder", 1, 0])
    go("key ArrowUp; key ArrowLeft", title=[name], focus=[name], checked=[name])
    place = {"side": "target", "index": 4}
    go("click .thumb; click below 4; hover above 1", selected={**place, "other": 1}, paired=1)
    go("away", selected=place)
    go("key ArrowUp")
    first = trait(page, "selected")["other"]
    go(selected={**place, "other": first})
    go("key ArrowLeft", selected={**place, "other": first - 1})
    go("key Escape", selected={})
    go("click above 3; click below 2", selected={"side": "target", "index": 2, "other": 3})
    go("click below 2", selected={})


@pytest.mark.parametrize("chosen", [("encoder", 1, 2), ("decoder", 1, 0), ("cross", 0, 1)])
@torch.no_grad()
def test_a_place_shows_its_weights_and_its_vectors(show, chosen):
    reader, text = model(), "3. Mai 1998"
    ids, lengths = torch.tensor([SOURCE.encode(text)]), torch.tensor([len(text)])
    kind, layer, head = chosen
    if kind == "encoder":
        weights = reader.encoder.head_weights(ids, lengths).inside[layer][0, head]
    else:
        iso = TARGET.encode(written(reader, text)[0])
        inputs = torch.tensor([[START, *iso[:-1]]])
        looks = reader.decoder.head_weights(reader.read(ids, lengths), inputs)
        weights = {"decoder": looks.inside, "cross": looks.across}[kind][layer][0, head]
    page = show(viewer(reader, text=text, chosen=chosen))
    go, most = walk(page, **PARTS), f"{weights[2].max():.2f}"
    go("hover below 2", selected={"side": "target", "index": 2}, says=f"({most})")
    go(strips=f"weight {most}.")
    go("away", selected={})
    go("hover above 1", selected={"side": "source", "index": 1})
    go(strips=f"weight {weights[int(weights[:, 1].argmax()), 1]:.2f}.")
    if kind == "decoder":
        go(labels="the start")


@torch.no_grad()
def test_the_score_is_that_of_query_and_key_as_they_are_turned(show):
    reader, text = model(), "3. Mai"
    place = {"side": "target", "index": 4, "other": 1}
    page = show(viewer(reader, text=text, chosen=("encoder", 0, 1), selected=place))
    attention = reader.encoder.blocks[0].inside
    vectors = reader.encoder.embedding(torch.tensor([SOURCE.encode(text)]))
    entered = reader.encoder.blocks[0].around_inside.enter(vectors)
    places = torch.arange(len(text))
    query = attention.ask(entered, places)[0, 1, 4]
    key = attention.offer(entered, entered, places).keys[0, 1, 1]
    score = f"{float(query @ key) / PART**0.5:.1f}".replace("-", "−")
    walk(page, **PARTS)(strips=f"score {score}", strip_note=f"Σ ÷ √{PART} = {score}")


def test_a_head_is_silenced_and_speaks_again(show):
    reader, text = model(), "3. Mai 1998"
    heads = [("cross", 1, 0), ("encoder", 0, 2)]
    whole = written(reader, text)
    with silent(reader, *heads):
        left = written(reader, text)
    assert left[0] != whole[0], "silences too little"
    longest = max(len(left[0]), len(whole[0]))
    pairs = zip(left[0].ljust(longest), whole[0].ljust(longest), strict=True)
    changed = [i for i, (one, other) in enumerate(pairs) if one != other]
    go = walk(show(viewer(reader, text=text, chosen=heads[0])), **PARTS)
    go("click Silence this head; click .thumb 2")
    go("press Silence this head Enter", silenced=[list(head) for head in heads])
    go(result=has(iso=left[0], whole=whole[0], changed=changed))
    go(result=has(probability=pytest.approx(left[1], rel=1e-4)))
    go(changed=sum(i < len(left[0]) for i in changed), without="Without 2 heads")
    go(silenced_ones=", silenced…, silenced", pressed=["true"])  # the name stays
    go("click Silence this head", silenced=[list(heads[0])], pressed=["false"])
    go("click Restore all heads", marks=0, result=has(iso=whole[0]))


def test_a_model_that_writes_nothing(show):
    reader = model()
    reader.decoder.readout.bias.data[END] += 100
    go = walk(show(viewer(reader)), **PARTS)
    go(verdict="The model wrote nothing.", arcs=0)
    go('set text ""', verdict="Type a date", arcs=0, result={})


def test_text_from_right_to_left_stands_in_both_lines_as_it_is_read(show):
    go = walk(show(viewer(text="٣ مايو", chosen=("encoder", 0, 0))), **PARTS)
    go(above=list("ويام␣٣"), below=list("ويام␣٣"))  # the last letter stands at the left
