// An alignment on the page: target i reads source j with weights[i][j].
//
// A selection is what the reader points at:
//   {}                                         nothing: all links are shown
//   { side: "target", index: i }               one target, and what it reads
//   { side: "source", index: j }               one source, and who reads it
//   { side: "target", index: i, other: j }     one cell: the target, and this source above all
// A place is an element with such a `selection`; the reader reaches it by pointer or arrow key.

import {
  capital,
  create,
  named,
  readsLeftwards,
  seenOrder,
  series,
  shade,
  UNSEEN,
  verbatim,
  visible,
  wholePercent,
} from "./common.js";

export function isSelected(selection) {
  return selection.side === "target" || selection.side === "source";
}

/** The selection, or none if it points outside these tokens. */
export function within(selection, { source, target }) {
  const fits = (index, tokens) => Number.isInteger(index) && index >= 0 && index < tokens.length;
  const { side, index, other } = selection;
  if (!isSelected(selection)) return {};
  const [here, there] = side === "target" ? [target, source] : [source, target];
  if (!fits(index, here)) return {};
  return other === undefined || fits(other, there) ? selection : { side, index };
}

function sameSelection(a, b) {
  return a.side === b.side && a.index === b.index && a.other === b.other;
}

/** Whether the link from target i to source j stays when this is selected. */
export function staysLinked(selection, i, j) {
  if (selection.side === "target") return selection.index === i;
  return selection.side === "source" ? selection.index === j : true;
}

/** Hovering shows a selection while it lasts; a click or a key keeps it; a second click releases it.
 *  `chosen` gives the one that is kept. All views share the trait `selected`; what another view has
 *  written in the meantime, such as none for a new example, is never undone. */
export function chooser(view) {
  const read = () => view.get("selected");
  const write = (selected) => view.share({ selected });
  let hover = null; // what the pointer shows, and what was chosen before
  const chosen = () => (hover && sameSelection(read(), hover.shown) ? hover.before : read());
  return {
    chosen,
    hover(selection) {
      hover = { shown: selection, before: chosen() };
      write(selection);
    },
    leave() {
      if (hover) write(chosen());
      hover = null;
    },
    keep(selection) {
      if (hover) hover = { shown: selection, before: selection };
      write(selection);
    },
    toggle(selection) {
      this.keep(sameSelection(selection, chosen()) ? {} : selection);
    },
  };
}

/** The place that an event happened on, if any. */
function placeOf(event) {
  const node = event.target.closest?.("[data-place]");
  return node?.selection ? node : null;
}

export function asPlace(node, selection) {
  node.selection = selection;
  node.dataset.place = "";
  return verbatim(node);
}

/** The pointer over places: hover, click and tap. */
export function pointAtPlaces(view, container, choice, pressed = () => false) {
  view.listen(container, "pointerover", (event) => {
    const place = placeOf(event);
    if (place && event.pointerType !== "touch") choice.hover(place.selection);
  });
  view.listen(container, "pointerleave", () => choice.leave());
  view.listen(container, "click", (event) => {
    const place = placeOf(event);
    if (place && pressed(place) === false) choice.toggle(place.selection);
  });
}

/** Pointer and keys over rows of places. One place at a time is a tab stop; arrows move it.
 *  If `press` is given, a click on a source, or Enter, calls it and selects nothing. */
export function reachPlaces(view, container, rows, choice, press) {
  const focusOn = (place) => {
    for (const other of rows.flat()) if (other) other.tabIndex = -1;
    place.tabIndex = 0;
  };
  const isPressed = ({ selection }) => press && selection.side === "source";
  focusOn((rows[1] ?? rows[0]).find((place) => place)); // the first target
  pointAtPlaces(view, container, choice, (place) =>
    isPressed(place) ? press(place.selection.index) : false,
  );
  view.listen(container, "click", (event) => {
    if (placeOf(event)) focusOn(placeOf(event));
  });
  view.listen(container, "focusin", (event) => {
    const place = placeOf(event);
    if (place?.matches(":focus-visible")) choice.keep(place.selection);
  });
  view.listen(container, "keydown", (event) => {
    const place = placeOf(event);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      choice.keep({});
      return;
    }
    const enters = ["Enter", " "].includes(event.key);
    const next = enters ? place : stepFrom(rows, place, event.key);
    if (!next) return;
    event.preventDefault();
    if (enters && isPressed(place)) {
      press(place.selection.index);
      return;
    }
    focusOn(next);
    next.focus();
    choice.keep(next.selection);
  });
}

/** The place that a key leads to, or none. If rows differ in length, it is the nearest one below. */
function stepFrom(rows, place, key) {
  const row = rows.findIndex((places) => places.includes(place));
  const column = rows[row].indexOf(place);
  const last = rows[row].length - 1;
  const across = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: last };
  if (key in across) return rows[row][across[key]] ?? null;
  const down = { ArrowUp: -1, ArrowDown: 1 };
  const next = rows[row + down[key]];
  if (!next) return null;
  return next[Math.round((column * (next.length - 1)) / Math.max(last, 1))];
}

/** What the reader points at, in words: for the line below the figure and for a screen reader. */
export function describeLinks({ source, target, weights, gold }, selection) {
  const { side, index, other } = selection;
  const here = side === "target" ? target : source;
  const there = side === "target" ? source : target;
  const row = there.map((_, k) => (side === "target" ? weights[index][k] : weights[k][index]));
  const subject = `${capital(side)} ${index + 1} of ${here.length}, ${named(here[index])},`;
  const verb = side === "target" ? "reads" : "is read by";
  const twice = (token) => there.indexOf(token) !== there.lastIndexOf(token);
  const place = (k) => (twice(there[k]) ? ` at ${k + 1}` : "");
  const pair = (k) => `${named(there[k])}${place(k)} (${row[k].toFixed(2)})`;
  const ranked = there.map((_, k) => k).sort((a, b) => row[b] - row[a]);
  const most = ranked.filter((k) => row[k] >= 0.05).slice(0, 4);
  const nothing = side === "target" ? "nothing in particular" : "hardly any step";
  const whom = most.length ? series(most.map(pair)) : nothing;
  const words = [`${subject} ${verb} ${whom}.`];
  if (other !== undefined) {
    words.unshift(`${named(here[index])} reads ${named(there[other])}: ${row[other].toFixed(2)}.`);
  }
  if (gold) {
    const exact = there.filter((_, k) => (side === "target" ? gold[index][k] : gold[k][index]));
    const links = series(exact.map(named));
    words.push(links ? `Exact: ${links}.` : "The exact alignment has no link here.");
  }
  return words.join(" ");
}

/** What should be in view: the strongest link of what is selected, or else of the first target. */
export function linkToSee({ weights }, selection) {
  const { side, index, other } = selection;
  if (side === "source" || other !== undefined) return { side: "source", index: other ?? index };
  const row = weights[index ?? 0];
  return { side: "source", index: row.indexOf(Math.max(...row)) };
}

/** The weights as a table: source across, target down. `notes` stand beside the targets; `states`
 *  are for each source those of STATES that a reader must know of. `press` takes the number
 *  of a source that is clicked, tapped or entered. Returns the element, `mark(selection)`, and
 *  `placeOf(selection)`. */
export function matrixView(
  view,
  alignment,
  choice,
  label,
  { notes = [], states = [], press } = {},
) {
  const { source, target, weights, gold } = alignment;
  const order = seenOrder(source);
  const heads = source.map((token, j) =>
    asPlace(headOf("columnheader", token, { state: states[j] }), { side: "source", index: j }),
  );
  const sides = target.map((token, i) =>
    asPlace(headOf("rowheader", token, { note: notes[i] }), { side: "target", index: i }),
  );
  const cells = weights.map((row, i) => row.map((share, j) => cellOf(share, i, j)));
  if (gold) outlineGold(cells, gold, order);
  const inOrder = (row) => order.map((j) => row[j]);
  const rows = [[null, ...inOrder(heads)], ...sides.map((side, i) => [side, ...inOrder(cells[i])])];
  const grid = gridOf(rows, source, label);
  reachPlaces(view, grid, rows, choice, press);

  function mark(selection) {
    cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        cell.classList.toggle("attn-far", !staysLinked(selection, i, j));
        cell.classList.toggle("attn-cursor", selection.other === j && selection.index === i);
      }),
    );
    markTokens({ heads, sides, weights }, selection);
  }
  const placeOf = ({ side, index }) => (side === "target" ? sides[index] : heads[index]);
  return { node: grid, mark, placeOf };
}

function cellOf(share, i, j) {
  const cell = create("div.attn-cell", { role: "gridcell", "aria-label": share.toFixed(2) });
  cell.style.background = `var(--attn-weight-${shade(share)})`;
  return asPlace(cell, { side: "target", index: i, other: j });
}

/** The rows as a grid; a place that is null is its empty corner. */
function gridOf(rows, source, label) {
  const words = source.some((token) => [...token].length > 2);
  const grid = create("div", {
    class: words ? "attn-matrix attn-words" : "attn-matrix",
    role: "grid",
    "aria-label": label,
  });
  grid.style.setProperty("--attn-columns", source.length);
  const corner = create("div.attn-corner", { role: "gridcell" });
  const line = (places) => create("div.attn-row", { role: "row" }, ...places);
  grid.append(...rows.map((row) => line(row.map((place) => place ?? corner))));
  return grid;
}

const STATES = { unknown: "never seen in training", hidden: "hidden" };

function headOf(role, token, { state = [], note } = {}) {
  const head = create(
    "div",
    { class: `attn-head attn-${role}`, role },
    create("bdi", visible(token)),
    ...(note ? [note] : []),
  );
  nameToken(head, token, state);
  return head;
}

/** Describe what cannot be seen of a token, such as its place, and mark its state. */
export function nameToken(node, token, state, place = "") {
  const name = UNSEEN.get(token) ?? token;
  if (place || state.length || UNSEEN.has(token)) {
    const known = [name, place, ...state.map((one) => STATES[one])];
    node.setAttribute("aria-label", known.filter(Boolean).join(", "));
  }
  node.classList.add(...state.map((one) => `attn-${one}`));
}

/** The name of what runs across, with an arrow in the direction of reading. */
export function across(name, tokens) {
  return readsLeftwards(tokens) ? `← ${name}` : `${name} →`;
}

// ---- a figure that may be wider than its page

/** A figure below the names of its sides. If it is too wide, it scrolls, and says so;
 *  `reveal(node)` brings a part of it into view, and moves nothing if it already is. */
export function scrolled(view, [source, target], node) {
  const axes = create(
    "p.attn-axes",
    create("span.attn-source-name", source),
    create("span.attn-target-name", target),
  );
  const scroller = create("div.attn-scroll", node);
  const whole = create("div.attn-map", axes, scroller);
  const say = () => {
    const { scrollLeft, scrollWidth, clientWidth } = scroller;
    const more = [scrollLeft > 8 && "left", scrollLeft + clientWidth < scrollWidth - 8 && "right"];
    whole.dataset.more = more.filter(Boolean).join(" ");
    if (scrollLeft || node.style.getPropertyValue("--attn-scrolled")) {
      node.style.setProperty("--attn-scrolled", `${scrollLeft}px`); // row heads stay in sight
    }
  };
  let first = null; // what to show as soon as there is room
  const reveal = (part) => {
    first = part;
    if (part && scroller.clientWidth) scrollTo(scroller, part);
    say();
  };
  view.listen(scroller, "scroll", say);
  if (globalThis.ResizeObserver) {
    const watcher = new ResizeObserver(() => reveal(first));
    watcher.observe(scroller);
    view.signal.addEventListener("abort", () => watcher.disconnect());
  }
  return { node: whole, reveal };
}

/** Scroll just far enough to show this part and a little of what is beside it. */
function scrollTo(scroller, part) {
  const [box, seen] = [part, scroller].map((node) => node.getBoundingClientRect());
  const rowHead = scroller.querySelector(".attn-rowheader")?.offsetWidth ?? 0; // it stays in sight
  const room = 2 * box.width;
  if (box.left < seen.left + rowHead) scroller.scrollLeft += box.left - room - seen.left - rowHead;
  else if (box.right > seen.right) scroller.scrollLeft += box.right + room - seen.right;
}

/** Outline the exact alignment, with no line between two neighbours that both belong to it. */
function outlineGold(cells, gold, order) {
  const isGold = (i, place) => Boolean(gold[i]?.[order[place]]);
  cells.forEach((row, i) =>
    order.forEach((j, place) => {
      if (!gold[i][j]) return;
      const cell = row[j];
      cell.classList.add("attn-gold");
      cell.setAttribute("aria-label", `${cell.getAttribute("aria-label")}, exact`);
      const open = {
        top: isGold(i - 1, place),
        bottom: isGold(i + 1, place),
        left: isGold(i, place - 1),
        right: isGold(i, place + 1),
      };
      for (const [side, inside] of Object.entries(open)) {
        cell.style.setProperty(`--attn-${side}`, inside ? 0 : 1);
      }
    }),
  );
}

/** Name the selected token, and shade those it is linked with by their weight. */
export function markTokens({ heads, sides, weights }, selection) {
  const linked = (side, index) => {
    if (!isSelected(selection) || side === selection.side) return null;
    return side === "source" ? weights[selection.index][index] : weights[index][selection.index];
  };
  const paint = (nodes, side) => {
    const shares = nodes.map((_, index) => linked(side, index));
    const most = Math.max(...shares);
    nodes.forEach((node, index) => {
      const share = shares[index];
      node.classList.toggle("attn-chosen", selection.side === side && selection.index === index);
      const least = share > 0 && share === most ? 2 : 0; // something lights up, however small
      const step = Math.max(shade(share ?? 0), least);
      node.classList.toggle("attn-linked", step > 0);
      node.style.setProperty("--attn-ground", `var(--attn-weight-${step})`);
      node.style.setProperty("--attn-words", `var(--attn-on-weight-${step})`);
    });
  };
  paint(heads, "source");
  paint(sides, "target");
}

/** The weights in percent, one row for each target; for readers without JavaScript. */
export function alignmentTable({ source, target, weights }) {
  return [
    ["Percent", ...source.map(visible)],
    ...target.map((token, i) => [visible(token), ...weights[i].map(wholePercent)]),
  ];
}
