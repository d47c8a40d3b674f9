// Columns: a weight for each character, to click, and a probability for each symbol.

import { across, scrolled } from "../shared/alignment.js";
import { create, percent, seenOrder, UNSEEN, visible, wholePercent } from "../shared/common.js";
import { symbolOf } from "./reading.js";
import { symbolName } from "./wording.js";

/** Two bars on the same base: as it was, and as it is now. */
function pairOfBars() {
  const [was, now] = ["attn-was", "attn-now"].map((look) => create(`span.${look}`));
  const node = create("span.attn-well", was, now);
  return {
    node,
    show(before, after) {
      was.style.setProperty("--attn-share", before.toFixed(3));
      now.style.setProperty("--attn-share", after.toFixed(3));
    },
  };
}

/** The place, of `count`, that an arrow key leads to from place `at`; null for no such place. */
export function steppedTo(event, at, count) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
  return next >= 0 && next < count ? next : null;
}

// ---- a weight for each character of what was typed

const KEYS = "Arrow keys move, Enter applies the change, Escape takes it back.";

/** The weights of a step over the characters; `press(j)` is called for one that is clicked, and
 *  `leave()` on Escape. */
export function weightView(view, press, leave) {
  const place = create("div.attn-figure-place");
  const anew = view.renewed();
  let shown = null;

  return {
    node: place,
    read({ given, whole }) {
      const focused = place.contains(document.activeElement);
      shown = whole.length ? figureOf(anew(), given, press, leave) : null;
      place.replaceChildren(...(shown ? [shown.node] : []));
      if (focused) shown?.columns[0].button.focus();
    },
    show(trial) {
      if (shown) markWeights(shown, trial);
    },
  };
}

function figureOf(view, { characters, unknown }, press, leave) {
  const columns = characters.map((token, j) => columnOf(token, unknown.includes(j)));
  const order = seenOrder(characters);
  const inLine = order.map((j) => columns[j].button);
  const line = create(
    "div.attn-columns",
    { role: "group", "aria-label": KEYS },
    ...inLine,
    ...order.map((j) => columns[j].taken),
  );
  line.style.setProperty("--attn-columns", characters.length);
  inLine[0].tabIndex = 0;
  view.listen(line, "click", (event) => {
    const at = inLine.findIndex((button) => button.contains(event.target));
    if (at < 0) return;
    focusOn(inLine, at);
    press(order[at]);
  });
  view.listen(line, "keydown", (event) => {
    if (event.key === "Escape") leave();
    const next = steppedTo(event, inLine.indexOf(event.target), inLine.length);
    if (next === null) return;
    event.preventDefault();
    focusOn(inLine, next);
  });
  const sides = [across("Typed", characters), "Weight (dashed: before)"];
  return { columns, line, characters, ...scrolled(view, sides, line) };
}

function focusOn(buttons, at) {
  buttons.forEach((button, k) => {
    button.tabIndex = k === at ? 0 : -1;
  });
  buttons[at].focus();
}

function columnOf(token, isUnknown) {
  const bars = pairOfBars();
  const letter = create("bdi.attn-letter", visible(token));
  const taken = create("bdi.attn-taken", { "aria-hidden": true });
  const button = create("button.attn-column", { type: "button", tabindex: -1 }, bars.node, letter);
  button.classList.toggle("attn-unknown", isUnknown);
  return { button, bars, taken };
}

const CHOSEN_FOR = { all: "all weight here", hidden: "hidden", swapped: "swapped" };

function markWeights({ columns, line, characters, reveal }, trial) {
  const { kind, places, other, before, at, whole } = trial;
  const swapping = kind === "swapped" && other.fits;
  line.setAttribute("aria-label", `Weights while ${symbolName(whole[at])} is written. ${KEYS}`);
  line.classList.toggle("attn-with-other", swapping);
  columns.forEach(({ button, bars, taken }, j) => {
    const chosen = kind in CHOSEN_FOR && places.includes(j);
    bars.show(...weightsAt(trial, j));
    button.setAttribute("aria-label", spokenColumn(trial, characters, j, chosen));
    button.setAttribute("aria-pressed", chosen);
    button.classList.toggle("attn-hidden", chosen && kind === "hidden");
    taken.textContent = swapping ? visible(other.characters[j]) : "";
    taken.classList.toggle("attn-differs", swapping && other.characters[j] !== characters[j]);
    taken.classList.toggle("attn-used", swapping && chosen);
  });
  const most = before.weights.indexOf(Math.max(...before.weights));
  reveal(columns[most].button);
}

function weightsAt({ before, after }, j) {
  return [before, after].map(({ weights }) => weights[j]);
}

function spokenColumn(trial, characters, j, chosen) {
  const { kind, other } = trial;
  const nameOf = (token) => UNSEEN.get(token) ?? token;
  const [was, now] = weightsAt(trial, j).map((weight) => weight.toFixed(2));
  const words = [nameOf(characters[j]), `place ${j + 1}`, `weight ${now}`];
  if (now !== was) words.push(`was ${was}`);
  if (chosen) words.push(CHOSEN_FOR[kind]);
  if (kind === "swapped" && other.fits)
    words.push(`${nameOf(other.characters[j])} in the other date`);
  return words.join(", ");
}

// ---- a probability for each symbol

export function oddsView(symbols, reader) {
  const title = create("p.attn-title.attn-odds-title");
  const names = symbols.map((number) => symbolOf(number, reader));
  const all = names.map((symbol) => oddOf(symbol));
  const line = create("div.attn-odds", { role: "img" }, ...all.map(({ node }) => node));
  line.style.setProperty("--attn-columns", all.length);
  const node = create("div.attn-odds-place", title, line);
  return {
    node,
    show(trial) {
      node.hidden = !trial;
      if (!trial) return;
      const { before, after, at } = trial;
      const likely = (step) => symbols.map((number) => step.probabilities[number]);
      const [early, late] = [before, after].map(likely);
      title.textContent = `p(y) for character ${at + 1} of the answer, in per cent`;
      line.setAttribute("aria-label", spokenOdds(names, early, late));
      all.forEach((odd, n) => {
        odd.bars.show(early[n], late[n]);
        odd.number.textContent = wholePercent(late[n]) || "\u00a0";
        odd.node.classList.toggle("attn-written", symbols[n] === after.symbol);
      });
    },
  };
}

function oddOf(symbol) {
  const bars = pairOfBars();
  const number = create("span.attn-number");
  const name = create("span.attn-symbol", symbol || "end");
  return { bars, number, node: create("div.attn-odd", number, bars.node, name) };
}

function spokenOdds(names, early, late) {
  const told = names.map((_, n) => n).filter((n) => early[n] >= 0.005 || late[n] >= 0.005);
  const each = told.map((n) => {
    const was = percent(early[n]) === percent(late[n]) ? "" : `, was ${percent(early[n])}`;
    return `${symbolName(names[n])} ${percent(late[n])}${was}`;
  });
  return `Probabilities: ${each.join("; ")}`;
}
