// Who reads what: one alignment as a matrix or as arcs.

import {
  across,
  alignmentTable,
  chooser,
  describeLinks,
  isSelected,
  linkToSee,
  matrixView,
  scrolled,
  within,
} from "../shared/alignment.js";
import { arcsView, viewSwitch } from "../shared/arcs.js";
import { beginView, capital, create, createLive, floats, POINT_AT } from "../shared/common.js";
import { menuFor, resetFor, tickFor } from "../shared/controls.js";

/** The examples with their weights (and gold) as rows. All arrays lie one after the other. */
function unpackExamples(model) {
  const shares = floats(model.get("weights"));
  const exact = model.get("gold");
  let offset = 0;
  return model.get("examples").map(({ name, source, target, gold }) => {
    const start = offset;
    offset += source.length * target.length;
    const cut = (at) =>
      target.map((_, i) => source.map((_, j) => at(start + i * source.length + j)));
    return {
      name,
      source,
      target,
      weights: cut((place) => shares[place]),
      gold: gold ? cut((place) => exact.getUint8(place) === 1) : null,
    };
  });
}

const VIEWS = {
  matrix: {
    make: matrixView,
    sides: (source) => [across("Source", source), "Target ↓"],
  },
  arcs: { make: arcsView, sides: () => ["Source above", "Target below"] },
};

function render({ model, el }) {
  const view = beginView({ model, el }, "viewer", model.get("title") || "Alignment");
  const title = create("p.attn-title");
  const bar = create("div.attn-bar");
  const figure = create("div");
  const words = createLive("p.attn-readout");
  view.frame.append(title, bar, figure, words);

  const newBar = view.renewed();
  const newFigure = view.renewed();
  const choice = chooser(view);
  const reset = resetFor(view, ["selected", "index", "view", "show_gold"]);
  let examples = [];
  let shown;

  function drawFigure() {
    const name = view.get("view");
    const { make, sides } = VIEWS[name];
    const label = `${capital(name)} of the weights. Arrow keys move, Escape shows all.`;
    const [part, current] = [newFigure(), currentOf(view, examples)];
    shown = make(part, current, choice, label);
    const whole = scrolled(part, sides(current.source), shown.node);
    figure.replaceChildren(whole.node);
    Object.assign(shown, { reveal: whole.reveal });
    mark();
  }

  function mark() {
    const current = currentOf(view, examples);
    const selected = within(view.get("selected"), current);
    shown.mark(selected);
    shown.reveal(shown.placeOf(linkToSee(current, selected)));
    const invited = () => invitation(current, examples.length);
    words.textContent = isSelected(selected) ? describeLinks(current, selected) : invited();
  }

  function drawAll() {
    examples = unpackExamples(view);
    title.textContent = view.get("title");
    title.hidden = !title.textContent;
    bar.replaceChildren(...controlsOf(newBar(), examples), reset);
    drawFigure();
  }

  view.follow(["examples", "weights", "gold", "title"], drawAll);
  view.follow(["index", "view", "show_gold"], drawFigure);
  view.follow(["selected"], mark);
  drawAll();
  return () => view.end();
}

/** The chosen example, with the exact alignment if that is to be shown. */
function currentOf(model, examples) {
  const alignment = examples[model.get("index")];
  return model.get("show_gold") ? alignment : { ...alignment, gold: null };
}

function invitation({ name, source, target }, examples) {
  const size = `${target.length} targets by ${source.length} sources`;
  const which = examples > 1 ? `${name}: ${size}. ` : "";
  return `${which}${POINT_AT} a token, or move with the arrow keys: only its links stay.`;
}

function controlsOf(view, examples) {
  const named = examples.map(({ name }, index) => [index, name]);
  const menu = menuFor(view, "index", view.get("example_label"), named, { selected: {} });
  menu.classList.add("attn-examples");
  const tick = tickFor(view, "show_gold", "Exact alignment");
  tick.classList.add("attn-gold-key");
  return [
    ...(examples.length > 1 ? [menu] : []),
    viewSwitch(view),
    ...(examples.some(({ gold }) => gold) ? [tick] : []),
  ];
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  return alignmentTable(unpackExamples(model)[model.get("index")]);
}

export default { render };
