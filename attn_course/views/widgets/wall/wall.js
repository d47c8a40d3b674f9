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
  POINT_AT,
  wholePercent,
} from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
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
  const view = beginView({ model, el }, "wall", "All maps of a language model");
  const { frame } = view;
  const views = viewsOf(view, frame);
  const { text, said } = views;
  const readAgain = () => read(view, views).catch(() => (said.textContent = MISSING));
  view.follow(["index", "own", "sentences"], readAgain);
  view.follow(["changes", "answer", "problem"], () => operate(view, views));
  view.follow(["colour", "tables"], () => colour(view, views));
  view.follow(["chosen"], () => choose(view, views));
  view.follow(["selected"], views.head.mark);
  text.hidden = isOperable(view);
  await read(view, views);
  return () => view.end();
}

function viewsOf(view, frame) {
  const text = create("p.attn-hint.attn-wall-text");
  const wall = wallView(view);
  const whole = scrolled(view, ["Blocks →", "Heads ↓"], wall.node);
  const said = createLive("p.attn-wall-said");
  const [head, operated] = [headView(view), operatingView(view)];
  const beside = create("div.attn-wall-beside", whole.node, operated.beside);
  const bars = [barOf(view), ...ownField(view)];
  frame.append(...bars, text, operated.above, beside, ...operated.below, said, ...head.nodes);
  return { text, wall, whole, said, head, operated, maps: null };
}

async function read(view, views) {
  const sentence = chosenSentence(view);
  const weights = await sentence.weights; // loaded when first read
  const effects = await effectsOf(view);
  if (sentence !== chosenSentence(view) || view.signal.aborted) return;
  views.maps = { ...mapsOf(sentence, weights, view.get("heads")), effects };
  views.text.replaceChildren(create("bdi", sentence.pieces.join("").trim()));
  colour(view, views);
  choose(view, views);
  await operate(view, views);
}

/** What follows now; and the maps with the changes, where these have been computed. */
async function operate(view, views) {
  const is = isOperable(view);
  views.operated.appear(is);
  views.text.hidden = is;
  if (!is || !views.maps) return;
  const key = keyOf(view);
  const answer = await answerOf(view);
  const weights = (await answer?.weights) ?? (await chosenSentence(view).weights);
  if (key !== keyOf(view) || view.signal.aborted) return;
  const { effects } = views.maps;
  views.maps = { ...mapsOf(chosenSentence(view), weights, view.get("heads")), effects };
  views.wall.silence(view.get("changes"));
  views.operated.show(answer);
  colour(view, views);
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

function barOf(view) {
  const reset = resetFor(view, ["index", "chosen", "colour", "selected", "changes"]);
  const sentences = () => [
    ...view.get("sentences").map(({ name }, number) => [number, name]),
    ...(view.get("own").pieces ? [[view.get("sentences").length, OWN]] : []),
  ];
  const unitOf = (name) =>
    name === EFFECT ? "points" : view.get("tables").find((one) => one.name === name)?.unit;
  const named = (name) => (unitOf(name) ? `${name}, ${unitOf(name)}` : name);
  const colours = () => coloursOf(view).map((name) => [name, named(name)]);
  const [sentence, colour] = [
    menu(view, "index", "Sentence", sentences, { selected: {}, changes: {} }),
    menu(view, "colour", "Colour by", () => [["", "nothing"], ...colours()]),
  ];
  return create("div.attn-bar", sentence, colour, reset);
}

/** A menu for a trait: its values, and how they are named. */
function menu(view, trait, label, options, anew = {}) {
  const select = create("select.attn-select");
  const show = () => {
    select.selectedIndex = options().findIndex(([value]) => value === view.get(trait));
  };
  const fill = () => {
    select.replaceChildren(...options().map(([value, text]) => create("option", { value }, text)));
    show();
  };
  fill();
  view.follow(["own", "sentences", "tables", "index"], fill);
  view.follow([trait], show);
  view.listen(select, "change", () =>
    view.share({ ...anew, [trait]: options()[select.selectedIndex][0] }),
  );
  return create("label.attn-field", label, select);
}

/** A line for the reader's own sentence, where somebody can read it: a kernel that answers, or a
 *  model in the page, which sets `reads` and follows `text`. */
function ownField(view) {
  const input = createLine("input.attn-input");
  input.maxLength = 200; // all maps of a page of text would fill the memory
  const label = create("label.attn-question.attn-typing", "Your own sentence", input);
  const button = createButton("Read it");
  const words = createLive("p.attn-hint");
  const form = create("form", { hidden: true }, label, create("div.attn-bar", button), words);
  let answers = false; // a kernel
  const appear = () => (form.hidden = !answers && !view.get("reads"));
  const heard = () => {
    answers = true;
    appear();
  };
  const ask = () => {
    words.textContent = "Reading …";
    view.share({ text: input.value, problem: "" });
  };
  button.type = "submit";
  view.listen(form, "submit", (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    if (input.value !== view.get("text")) ask();
    else if (view.get("own").pieces && !view.get("problem"))
      view.share({ index: view.get("sentences").length, selected: {}, changes: {} });
  });
  view.keepShowing("reads", appear);
  view.follow(["problem"], () => (words.textContent = view.get("problem")));
  view.follow(["own"], () => {
    words.textContent = halvesInWords(view.get("own").pieces);
  });
  view.model.on("msg:custom", heard); // a kernel answers; a page has none
  view.signal.addEventListener("abort", () => view.model.off("msg:custom", heard));
  view.model.send({ reads: null });
  return [form];
}

// ---- the chosen head

const KEYS = "What each piece reads. Arrow keys move, Escape shows all.";

function headView(view) {
  const title = createLive("p.attn-title");
  const habit = createLive("p.attn-hint.attn-wall-habit");
  const place = create("div.attn-wall-map");
  const words = createLive("p.attn-readout");
  const newFigure = view.renewed();
  const choice = chooser(view);
  let shown = null;

  function show(maps) {
    const pieces = maps.pieces.map(pieceShown);
    const [block, head] = view.get("chosen");
    const weights = rowsOf(maps, block * maps.heads + head);
    const alignment = { source: pieces, target: pieces, weights };
    const part = newFigure();
    const map = matrixView(part, alignment, choice, KEYS);
    const figure = scrolled(part, ["Is read →", "Reads ↓"], map.node);
    shown = { ...map, alignment, reveal: figure.reveal };
    const places = () => [...place.querySelectorAll("[data-place]")];
    const at = places().indexOf(document.activeElement); // it has come while the reader was there
    place.replaceChildren(figure.node);
    places()[at]?.focus({ preventScroll: true });
    title.textContent = capital(headInWords([block, head]));
    habit.textContent = habitsOf(view, maps);
    mark();
  }

  function mark() {
    if (!shown) return;
    const selected = within(view.get("selected"), shown.alignment);
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
