// All maps of a language model as one wall: choose one and see it large.

import {
  chooser,
  describeLinks,
  isSelected,
  linkToSee,
  matrixView,
  scrolled,
  within,
} from "../shared/alignment.js";
import {
  beginView,
  capital,
  create,
  createButton,
  createLive,
  follow,
  keepShowing,
  listen,
  POINT_AT,
  renewed,
  share,
  wholePercent,
} from "../shared/common.js";
import { createLine } from "../shared/typing.js";
import { answerOf, effectsOf, isOperable, keyOf, runOf } from "./changing.js";
import { operatingView } from "./operating.js";
import { wallView } from "./picture.js";
import {
  chosenSentence,
  colouring,
  coloursOf,
  EFFECT,
  MEASURES,
  mapsOf,
  OWN,
  rowsOf,
} from "./reading.js";
import {
  cellName,
  habitsOf,
  halvesInWords,
  headInWords,
  pieceShown,
  wallInWords,
} from "./wording.js";

async function render({ model, el }) {
  // loaded first: what a widget begins with is not read out
  const begun = [chosenSentence(model).weights, runOf(model)?.shares];
  await Promise.all(begun).catch(() => {});
  const { frame, life } = beginView(el, "wall", "All maps of a language model");
  const views = viewsOf(life, model, frame);
  const { text, said } = views;
  const readAgain = () => read(life, model, views).catch(() => (said.textContent = MISSING));
  follow(life, model, ["index", "own", "sentences"], readAgain);
  follow(life, model, ["changes", "answer", "problem"], () => operate(life, model, views));
  follow(life, model, ["colour", "tables"], () => colour(model, views));
  follow(life, model, ["chosen"], () => choose(model, views));
  follow(life, model, ["selected"], views.head.mark);
  text.hidden = isOperable(model);
  await read(life, model, views);
  return () => life.abort();
}

function viewsOf(life, model, frame) {
  const text = create("p.attn-hint.attn-wall-text");
  const wall = wallView(life, model);
  const whole = scrolled(life, ["Blocks →", "Heads ↓"], wall.node);
  const said = createLive("p.attn-wall-said");
  const [head, operated] = [headView(life, model), operatingView(life, model)];
  const beside = create("div.attn-wall-beside", whole.node, operated.beside);
  const bars = [barOf(life, model), ...ownField(life, model)];
  frame.append(...bars, text, operated.above, beside, ...operated.below, said, ...head.nodes);
  return { text, wall, whole, said, head, operated, maps: null };
}

async function read(life, model, views) {
  const sentence = chosenSentence(model);
  const weights = await sentence.weights; // loaded when first read
  const effects = await effectsOf(model);
  if (sentence !== chosenSentence(model) || life.signal.aborted) return;
  views.maps = { ...mapsOf(sentence, weights, model.get("heads")), effects };
  views.text.replaceChildren(create("bdi", sentence.pieces.join("").trim()));
  colour(model, views);
  choose(model, views);
  await operate(life, model, views);
}

/** What follows now; and the maps with the changes, where these have been computed. */
async function operate(life, model, views) {
  const is = isOperable(model);
  views.operated.appear(is);
  views.text.hidden = is;
  if (!is || !views.maps) return;
  const key = keyOf(model);
  const answer = await answerOf(model);
  const weights = (await answer?.weights) ?? (await chosenSentence(model).weights);
  if (key !== keyOf(model) || life.signal.aborted) return;
  const { effects } = views.maps;
  views.maps = { ...mapsOf(chosenSentence(model), weights, model.get("heads")), effects };
  views.wall.silence(model.get("changes"));
  views.operated.show(answer);
  colour(model, views);
  views.head.show(views.maps);
}

function colour(model, { maps, wall, said }) {
  if (!maps) return;
  const found = colouring(model, maps);
  wall.show(maps, found);
  wall.mark(cellName(model, found));
  said.textContent = wallInWords(found, model.get("heads"));
}

function choose(model, { maps, wall, whole, head }) {
  if (!maps) return;
  wall.mark(cellName(model, colouring(model, maps)));
  whole.reveal(wall.cell);
  head.show(maps);
}

const MISSING = "This sentence could not be loaded. Choose another one, and then this one again.";

// ---- what is read, and what colours the wall

function barOf(life, model) {
  const names = ["index", "chosen", "colour", "selected", "changes"];
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  const sentences = () => [
    ...model.get("sentences").map(({ name }, number) => [number, name]),
    ...(model.get("own").pieces ? [[model.get("sentences").length, OWN]] : []),
  ];
  const unitOf = (name) =>
    name === EFFECT ? "points" : model.get("tables").find((one) => one.name === name)?.unit;
  const named = (name) => (unitOf(name) ? `${name}, ${unitOf(name)}` : name);
  const colours = () => coloursOf(model).map((name) => [name, named(name)]);
  const [sentence, colour] = [
    menu(life, model, "index", "Sentence", sentences, { selected: {}, changes: {} }),
    menu(life, model, "colour", "Colour by", () => [["", "nothing"], ...colours()]),
  ];
  return create("div.attn-bar", sentence, colour, reset);
}

/** A menu for a trait: its values, and how they are named. */
function menu(life, model, trait, label, options, anew = {}) {
  const select = create("select.attn-select");
  const show = () => {
    select.selectedIndex = options().findIndex(([value]) => value === model.get(trait));
  };
  const fill = () => {
    select.replaceChildren(...options().map(([value, text]) => create("option", { value }, text)));
    show();
  };
  fill();
  follow(life, model, ["own", "sentences", "tables", "index"], fill);
  follow(life, model, [trait], show);
  listen(life, select, "change", () =>
    share(model, { ...anew, [trait]: options()[select.selectedIndex][0] }),
  );
  return create("label.attn-field", label, select);
}

/** A line for the reader's own sentence, where somebody can read it: a kernel that answers, or a
 *  model in the page, which sets `reads` and follows `text`. */
function ownField(life, model) {
  const input = createLine("input.attn-input");
  input.maxLength = 200; // all maps of a page of text would fill the memory
  const label = create("label.attn-question.attn-typing", "Your own sentence", input);
  const button = createButton("Read it");
  const words = createLive("p.attn-hint");
  const form = create("form", { hidden: true }, label, create("div.attn-bar", button), words);
  let answers = false; // a kernel
  const appear = () => (form.hidden = !answers && !model.get("reads"));
  const heard = () => {
    answers = true;
    appear();
  };
  const ask = () => {
    words.textContent = "Reading …";
    share(model, { text: input.value, problem: "" });
  };
  button.type = "submit";
  listen(life, form, "submit", (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    if (input.value !== model.get("text")) ask();
    else if (model.get("own").pieces && !model.get("problem"))
      share(model, { index: model.get("sentences").length, selected: {}, changes: {} });
  });
  keepShowing(life, model, "reads", appear);
  follow(life, model, ["problem"], () => (words.textContent = model.get("problem")));
  follow(life, model, ["own"], () => {
    words.textContent = halvesInWords(model.get("own").pieces);
  });
  model.on("msg:custom", heard); // a kernel answers; a page has none
  life.signal.addEventListener("abort", () => model.off("msg:custom", heard));
  model.send({ reads: null });
  return [form];
}

// ---- the chosen head

const KEYS = "What each piece reads. Arrow keys move, Escape shows all.";

function headView(life, model) {
  const title = createLive("p.attn-title");
  const habit = createLive("p.attn-hint.attn-wall-habit");
  const place = create("div.attn-wall-map");
  const words = createLive("p.attn-readout");
  const newFigure = renewed(life);
  const choice = chooser(
    () => model.get("selected"),
    (selected) => share(model, { selected }),
  );
  let shown = null;

  function show(maps) {
    const pieces = maps.pieces.map(pieceShown);
    const [block, head] = model.get("chosen");
    const weights = rowsOf(maps, block * maps.heads + head);
    const alignment = { source: pieces, target: pieces, weights };
    const part = newFigure();
    const view = matrixView(part, alignment, choice, KEYS);
    const figure = scrolled(part, ["Is read →", "Reads ↓"], view.node);
    shown = { ...view, alignment, reveal: figure.reveal };
    const places = () => [...place.querySelectorAll("[data-place]")];
    const at = places().indexOf(document.activeElement); // it has come while the reader was there
    place.replaceChildren(figure.node);
    places()[at]?.focus({ preventScroll: true });
    title.textContent = capital(headInWords([block, head]));
    habit.textContent = habitsOf(model, maps);
    mark();
  }

  function mark() {
    if (!shown) return;
    const selected = within(model.get("selected"), shown.alignment);
    shown.mark(selected);
    const isChosen = isSelected(selected);
    if (isChosen) shown.reveal(shown.placeOf(linkToSee(shown.alignment, selected)));
    words.textContent = isChosen ? describeLinks(shown.alignment, selected) : INVITATION;
  }
  return { nodes: [title, habit, place, words], show, mark };
}

const INVITATION = `${POINT_AT} a piece on the left to see what it reads, or above to see what reads it.`;

/** What colours the wall, or else the first measure, as a table: for readers without JavaScript. */
export function table({ model }) {
  const sentence = chosenSentence(model);
  const [blocks, heads] = [model.get("blocks"), model.get("heads")];
  const maps = mapsOf(sentence, sentence.weights, heads);
  const { name, values, unit } = colouring(model, maps, model.get("colour") || MEASURES[0]);
  const cell = MEASURES.includes(name) ? wholePercent : (value) => value.toFixed(2);
  const shown = MEASURES.includes(name) ? "percent" : unit;
  const row = (_, block) =>
    Array.from({ length: heads }, (_, head) => (values ? cell(values[block * heads + head]) : ""));
  return [
    [
      `${maps.name}: ${name}${shown && `, ${shown}`}`,
      ...Array.from({ length: heads }, (_, head) => `Head ${head}`),
    ],
    ...Array.from({ length: blocks }, (_, block) => [`Block ${block}`, ...row(_, block)]),
  ];
}

export default { render };
