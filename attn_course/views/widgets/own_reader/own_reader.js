// Type a text: a model that was trained on the reader's own pairs reads it, here in the page.

import {
  across,
  chooser,
  describeLinks,
  isSelected,
  linkToSee,
  matrixView,
  scrolled,
  within,
} from "../shared/alignment.js";
import { forward, unpackModel } from "../shared/bahdanau.js";
import {
  ANSWER_END,
  beginView,
  create,
  createLive,
  named,
  POINT_AT,
  percent,
} from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { moveFirst } from "../shared/luong.js";
import { translate } from "../shared/transformer.js";
import { neverSaw, typingBox } from "../shared/typing.js";

/** What each kind of model does with the numbers of a text: its steps, with their weights. */
const RUNS = {
  bahdanau: ({ arrays, special, longest }, ids) => forward(arrays, special, ids, { longest }),
  fixed_context: ({ arrays, special, longest }, ids) =>
    forward(arrays, special, ids, { longest, fixed: true }),
  luong: ({ arrays, special, longest }, ids) => moveFirst(arrays, special, ids, longest),
  transformer(given, ids) {
    const { steps, cross } = translate(given, ids, { longest: given.longest });
    const { looks } = cross.at(-1);
    return steps.map((now, i) => ({ ...now, weights: meanOf(looks[i].weights) }));
  },
};

function meanOf(rows) {
  return rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
}

/** The trained model and its vocabularies, from the traits. */
function ownModelOf(model) {
  const given = {
    arrays: unpackModel(model),
    special: model.get("special"),
    heads: model.get("heads"),
    longest: model.get("longest_answer"),
  };
  const source = model.get("source_symbols");
  return {
    special: given.special,
    separator: model.get("separator"),
    joined: model.get("target_separator"),
    form: model.get("form"),
    numbers: new Map(source.map((symbol, at) => [symbol, at + given.special.first_symbol])),
    target: model.get("target_symbols"),
    run: (ids) => RUNS[model.get("model")](given, ids),
  };
}

/** The symbols of a text, their numbers, and the places of those that the model never saw. */
function symbolsOf(text, { separator, form, numbers, special }) {
  const tidy = (form === "none" ? text : text.normalize(form)).trim();
  const symbols = separator ? tidy.split(/\s+/).filter(Boolean) : [...tidy];
  const ids = symbols.map((symbol) => numbers.get(symbol) ?? special.unknown);
  const unknown = ids.flatMap((id, j) => (id === special.unknown ? [j] : []));
  return { symbols, ids, unknown };
}

/** What the model wrote, how likely it found each part, and where it looked. */
function readOwn({ symbols, ids, unknown }, reader, sureAbove) {
  const { special, target } = reader;
  const steps = reader.run(ids);
  const sure = ({ probabilities, symbol }) => probabilities[symbol];
  const silent = [special.end, special.padding, special.start]; // as in Python, no text
  const written = steps.filter(({ symbol }) => !silent.includes(symbol));
  const ended = steps.filter(({ symbol }) => symbol === special.end); // none if it was cut off
  const shown = written.map(({ symbol }) => target[symbol - special.first_symbol] ?? "\ufffd");
  const probability = steps.map(sure).reduce((product, share) => product * share, 1);
  const result = {
    answer: shown.join(reader.joined),
    probability,
    probabilities: written.map(sure),
    end: ended.length ? sure(ended[0]) : null,
    unsure: probability < sureAbove,
    unknown: [...new Set(unknown.map((j) => symbols[j]))],
  };
  const weights = [...written, ...ended].map((now) => now.weights);
  const alignment = {
    source: symbols,
    target: [...shown, ...ended.map(() => ANSWER_END)],
    weights,
  };
  return { alignment, result };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "own-reader", "Reader of your own texts");
  const { frame } = view;
  const typing = typingBox(view, view.get("label"), { selected: {} });
  const places = placesOf();
  const reader = ownModelOf(view);
  const newFigure = view.renewed();
  const choice = chooser(view);
  let shown = null; // the figure and its alignment, while there is one

  function read() {
    const given = symbolsOf(view.get("text"), reader);
    const refusal = refuseOwn(given.ids.length, view.get("longest"), reader.separator);
    const found = refusal ? null : readOwn(given, reader, view.get("sure_above"));
    view.publish("result", found?.result ?? {});
    places.answer.textContent = found?.result.answer ?? "";
    places.said.textContent = refusal ?? inWords(found);
    frame.classList.toggle("attn-unsure", found?.result.unsure ?? false);
    const part = newFigure();
    shown = found?.alignment.target.length ? figureOf(part, found, given, choice) : null;
    places.figure.replaceChildren(...(shown ? [shown.node] : []));
    mark();
  }

  function mark() {
    places.words.textContent = shown ? INVITATION : "";
    if (!shown) return;
    const selected = within(view.get("selected"), shown.alignment);
    shown.mark(selected);
    if (isSelected(selected)) places.words.textContent = describeLinks(shown.alignment, selected);
    shown.reveal(shown.placeOf(linkToSee(shown.alignment, selected)));
  }

  const { answer, said, figure, words } = places;
  frame.append(...typing, answer, said, figure, words, resetBar(view));
  view.follow(["text"], read);
  view.follow(["selected"], mark);
  read();
  return () => view.end();
}

function placesOf() {
  const attributes = { role: "group", "aria-label": "Answer", dir: "auto", translate: "no" };
  const answer = createLive("div.attn-answer", attributes);
  const figure = create("div.attn-figure-place");
  const [said, words] = ["attn-verdict", "attn-readout"].map((look) => createLive(`p.${look}`));
  return { answer, said, figure, words };
}

function resetBar(view) {
  return create("div.attn-bar", resetFor(view, ["text", "selected"]));
}

const INVITATION = `${POINT_AT} a part of the answer to see what it read.`;
const KEYS = "Where the model looked. Arrow keys move, Escape shows all.";

function figureOf(view, { alignment, result }, { unknown }, choice) {
  const notes = surenesses(result).map((share) => create("span.attn-sure", percent(share)));
  const states = alignment.source.map((_, j) => (unknown.includes(j) ? ["unknown"] : []));
  const map = matrixView(view, alignment, choice, KEYS, { notes, states });
  const sides = [across("Typed", alignment.source), "Answer ↓ and how sure"];
  return { alignment, ...map, ...scrolled(view, sides, map.node) };
}

/** Why a text is not read, or null. */
function refuseOwn(length, longest, separator) {
  if (length === 0)
    return "Type a text of the kind that the model was trained on. It answers as you type.";
  if (length <= longest) return null;
  const what = separator ? "words" : "characters";
  return `That is ${length} ${what}, and the model reads at most ${longest}: please shorten it.`;
}

/** How likely the model found each symbol that it wrote, and the end. */
function surenesses({ probabilities, end }) {
  return end === null ? probabilities : [...probabilities, end];
}

/** How sure the model is of its answer, and what it could not read. */
function inWords({ alignment, result }) {
  const { probability, probabilities, end, unsure, unknown } = result;
  const sure = unsure ? "unsure" : "sure";
  const words = probabilities.length ? [] : ["The model wrote nothing."];
  words.push(
    `The model is ${sure}: it gives this answer a probability of ${percent(probability)}.`,
  );
  if (unsure) {
    const each = surenesses(result);
    const least = each.indexOf(Math.min(...each));
    const place = least < probabilities.length ? `, at place ${least + 1}` : "";
    words.push(`It doubts ${named(alignment.target[least])} most${place}.`);
  }
  if (end === null) words.push("This is as long as an answer may be, and it was cut off here.");
  return [...words, neverSaw(unknown)].filter(Boolean).join(" ");
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const reader = ownModelOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])].filter(Boolean);
  const rows = texts.map((text) => {
    const { result } = readOwn(symbolsOf(text, reader), reader, model.get("sure_above"));
    return [text, result.answer, percent(result.probability)];
  });
  return [["Text", "As the model reads it", "Probability"], ...rows];
}

export default { render };
