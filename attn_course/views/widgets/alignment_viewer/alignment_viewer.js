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
import {
  beginView,
  capital,
  create,
  createButton,
  createLive,
  floats,
  follow,
  keepShowing,
  listen,
  POINT_AT,
  renewed,
  share,
} from "../shared/common.js";

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
    view: matrixView,
    sides: (source) => [across("Source", source), "Target ↓"],
  },
  arcs: { view: arcsView, sides: () => ["Source above", "Target below"] },
};

function render({ model, el }) {
  const { frame, life } = beginView(el, "viewer", model.get("title") || "Alignment");
  const title = create("p.attn-title");
  const bar = create("div.attn-bar");
  const figure = create("div");
  const words = createLive("p.attn-readout");
  frame.append(title, bar, figure, words);

  const newBar = renewed(life);
  const newFigure = renewed(life);
  const choice = chooser(
    () => model.get("selected"),
    (selected) => share(model, { selected }),
  );
  const names = ["selected", "index", "view", "show_gold"];
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  let examples = [];
  let shown;

  function drawFigure() {
    const name = model.get("view");
    const { view, sides } = VIEWS[name];
    const label = `${capital(name)} of the weights. Arrow keys move, Escape shows all.`;
    const [part, current] = [newFigure(), currentOf(model, examples)];
    shown = view(part, current, choice, label);
    const whole = scrolled(part, sides(current.source), shown.node);
    figure.replaceChildren(whole.node);
    Object.assign(shown, { reveal: whole.reveal });
    mark();
  }

  function mark() {
    const current = currentOf(model, examples);
    const selected = within(model.get("selected"), current);
    shown.mark(selected);
    shown.reveal(shown.placeOf(linkToSee(current, selected)));
    const invited = () => invitation(current, examples.length);
    words.textContent = isSelected(selected) ? describeLinks(current, selected) : invited();
  }

  function drawAll() {
    examples = unpackExamples(model);
    title.textContent = model.get("title");
    title.hidden = !title.textContent;
    bar.replaceChildren(...controlsOf(newBar(), model, examples, start));
    drawFigure();
  }

  follow(life, model, ["examples", "weights", "gold", "title"], drawAll);
  follow(life, model, ["index", "view", "show_gold"], drawFigure);
  follow(life, model, ["selected"], mark);
  drawAll();
  return () => life.abort();
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

function controlsOf(life, model, examples, start) {
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  return [
    ...(examples.length > 1 ? [exampleChoice(life, model, examples)] : []),
    viewSwitch(life, model),
    ...(examples.some(({ gold }) => gold) ? [goldChoice(life, model)] : []),
    reset,
  ];
}

function exampleChoice(life, model, examples) {
  const select = create("select.attn-select");
  examples.forEach(({ name }, value) => select.append(create("option", { value }, name)));
  keepShowing(life, model, "index", () => (select.selectedIndex = model.get("index")));
  listen(life, select, "change", () => share(model, { selected: {}, index: select.selectedIndex }));
  return create("label.attn-field.attn-examples", model.get("example_label"), select);
}

function goldChoice(life, model) {
  const box = create("input", { type: "checkbox" });
  keepShowing(life, model, "show_gold", () => (box.checked = model.get("show_gold")));
  listen(life, box, "change", () => share(model, { show_gold: box.checked }));
  return create("label.attn-field.attn-gold-key", box, "Exact alignment");
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  return alignmentTable(unpackExamples(model)[model.get("index")]);
}

export default { render };
