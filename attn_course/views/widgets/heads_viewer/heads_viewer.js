// Type a date: a trained Transformer reads it, here in the page, and each head shows where it looks.

import {
  across,
  alignmentTable,
  chooser,
  isSelected,
  linkToSee,
  scrolled,
  within,
} from "../shared/alignment.js";
import { arcsView } from "../shared/arcs.js";
import { beginView, create, createLive, percent } from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { typingBox } from "../shared/typing.js";
import { headName, insideHead, pairOf, readText, sameHead, transformerOf } from "./reading.js";
import { stripView } from "./strips.js";
import { thumbView } from "./thumbs.js";
import { describeHead, habitOf, verdict } from "./wording.js";

function render({ model, el }) {
  const view = beginView({ model, el }, "heads-viewer", "Heads of a Transformer");
  const transformer = transformerOf(view);
  const answers = answerView();
  const thumbs = thumbView(view);
  const head = headView(view);
  let state = null;

  function read() {
    state = readText(view, transformer);
    view.publish("result", state.result);
    answers.show(state, view.get("silenced").length);
    thumbs.read(state);
    showHead();
  }

  function showHead() {
    thumbs.mark();
    head.show(state);
  }

  const typing = typingBox(view, view.get("label"), { selected: {} });
  const bar = head.bar;
  bar.append(...controls(view));
  view.frame.append(...typing, ...answers.nodes, question(view), thumbs.node, bar, ...head.nodes);
  view.follow(["text", "silenced"], read);
  view.follow(["chosen"], showHead);
  view.follow(["selected"], head.mark);
  read();
  return () => view.end();
}

function question(model) {
  const layers = Object.values(model.get("layers")).reduce((sum, count) => sum + count, 0);
  const text = `How many of these ${layers * model.get("heads")} heads can you silence before the date goes wrong?`;
  return create("p.attn-title.attn-ask", text);
}

function controls(view) {
  const others = () => view.get("silenced").filter((one) => !sameHead(one, view.get("chosen")));
  const isSilent = () => others().length < view.get("silenced").length;
  const silence = view.button("Silence this head", () => {
    view.share({ silenced: isSilent() ? others() : [...others(), view.get("chosen")] });
  });
  const restore = view.button("Restore all heads", () => view.share({ silenced: [] }));
  const show = () => {
    silence.setAttribute("aria-pressed", isSilent());
    restore.setAttribute("aria-disabled", !view.get("silenced").length); // it keeps the focus
  };
  show();
  view.follow(["silenced", "chosen"], show);
  // the text first: it redraws everything
  return [silence, restore, resetFor(view, ["text", "silenced", "chosen", "selected"])];
}

// ---- the answer of all heads, and what is left of it

function answerView() {
  const rows = [0, 1].map(() => create("div.attn-answer-row"));
  const answers = createLive("div.attn-answers");
  answers.append(...rows);
  const said = createLive("p.attn-verdict");
  return {
    nodes: [answers, said],
    show(state, count) {
      const { reading, whole } = state;
      const left = count ? `Without ${count} ${count > 1 ? "heads" : "head"}` : BEFORE_SILENCE;
      rows[0].replaceChildren(...answerRow("With all heads", whole, whole));
      rows[1].replaceChildren(...(whole ? answerRow(left, count ? reading : null, whole) : []));
      said.textContent = verdict(state, count);
    },
  };
}

const BEFORE_SILENCE = "Silence a head to see what is left of the answer.";

function answerRow(name, reading, whole) {
  const label = create("span.attn-hint", name);
  if (!reading) return [label];
  const digits = reading.iso.map((text, i) => {
    const digit = create("span.attn-character", text);
    digit.classList.toggle("attn-changed", text !== whole.iso[i]);
    return digit;
  });
  return [
    label,
    create("span.attn-digits", ...digits),
    create("span.attn-hint", percent(reading.probability)),
  ];
}

// ---- the chosen head: which character asks which, and with what

const KEYS =
  "Which character asks which. Arrow keys move; those below ask those above. Escape lets go.";

function headView(view) {
  const title = create("span.attn-title");
  const bar = create("div.attn-bar", title);
  const habit = create("p.attn-habit");
  const place = create("div.attn-figure-place");
  const words = createLive("p.attn-readout");
  const strips = stripView();
  const newFigure = view.renewed();
  const choice = pairing(chooser(view));
  let shown = null; // the head and its figure, if there is one

  function show(state) {
    const chosen = view.get("chosen");
    const focused = place.contains(document.activeElement) && document.activeElement;
    const silent = view.get("silenced").some((head) => sameHead(head, chosen));
    const written = state.reading?.iso.length;
    shown = written
      ? figureOf(newFigure(), insideHead(state, chosen), chosen[0], state, choice)
      : null;
    place.replaceChildren(...(shown ? [shown.node] : []));
    place.classList.toggle("attn-silent", silent);
    title.textContent = headName(chosen, view.get("layers"));
    habit.textContent = shown ? habitOf(shown.head, chosen[0]) : "";
    strips.silence(silent);
    mark();
    if (focused && shown) shown.placeOf(focused.selection)?.focus();
  }

  function mark() {
    strips.node.hidden = !shown;
    words.textContent = "";
    if (!shown) return;
    const selected = within(view.get("selected"), shown.head);
    const pair = pairOf(shown.head, selected);
    shown.mark(selected, pair);
    words.textContent = describeHead(shown.head, selected, view.get("chosen")[0]);
    strips.show(shown.head, pair);
    shown.reveal(shown.placeOf(linkToSee(shown.head, selected)));
  }

  return { bar, nodes: [habit, place, words, strips.node], show, mark };
}

function figureOf(view, head, kind, { given }, choice) {
  const states = head.source.map((_, j) =>
    kind !== "decoder" && given.unknown.includes(j) ? ["unknown"] : [],
  );
  const arcs = arcsView(view, head, choice, KEYS, { states });
  const [source, target] = ["source", "target"].map((side) =>
    head[side].map((_, index) => arcs.placeOf({ side, index })),
  );
  if (kind === "decoder") source[0].setAttribute("aria-label", "the start");
  const below = kind === "encoder" ? "Below: what asks" : "Below: each step, by what it writes";
  const sides = [across("Above: what is asked", head.source), below];

  function mark(selected, [i, j]) {
    arcs.mark(selected);
    const isPaired = (index, at) => isSelected(selected) && index === at;
    source.forEach((node, index) => node.classList.toggle("attn-paired", isPaired(index, j)));
    target.forEach((node, index) => node.classList.toggle("attn-paired", isPaired(index, i)));
  }
  return { head, placeOf: arcs.placeOf, ...scrolled(view, sides, arcs.node), mark };
}

/** A choice in which a place on the side opposite to what is held makes a pair with it. */
function pairing(choice) {
  const paired = (place) => {
    const held = choice.chosen();
    if (!isSelected(place) || !isSelected(held)) return place;
    if (held.side !== place.side) {
      const [i, j] = place.side === "target" ? [place, held] : [held, place];
      return { side: "target", index: i.index, other: j.index };
    }
    return held.index === place.index ? held : place;
  };
  return {
    ...choice,
    hover: (place) => choice.hover(paired(place)),
    keep: (place) => choice.keep(paired(place)),
    toggle: (place) => choice.toggle(paired(place)),
  };
}

/** The weights of the chosen head, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const state = readText(model, transformerOf(model));
  if (state.reading?.iso.length) return alignmentTable(insideHead(state, model.get("chosen")));
  return [["Answer"], [verdict(state, model.get("silenced").length)]];
}

export default { render };
