// The wall: a small map of each head, blocks across and heads down, tinted by a measure.

import { pathsByLevel } from "../shared/canvas.js";
import { create, draw, shade } from "../shared/common.js";
import { isOperable, toggled } from "./changing.js";

const GAP = 0.08; // of a cell, on each side of its map
const DOTS = 44; // of a cell, so that a map is sharp on a phone as well
const TINT = 0.7; // of the strongest colour: the ink of a map must stand out from it

/** The wall; `show(maps, colour, name)` draws it, where `name(head)` says what a cell is. */
export function wallView(view) {
  const [blocks, heads] = [view.get("blocks"), view.get("heads")];
  const [tints, silent, ink, cell] = [
    draw("g"),
    draw("path.attn-wall-silent"),
    create("div.attn-ink-of-maps"),
    movingCell(),
  ];
  const grid = create(
    "div.attn-wall-grid",
    gridNames(blocks, heads),
    create("div.attn-wall-row", { role: "row" }, cell),
  );
  const field = create("div.attn-wall-field", ink, grid);
  const box = { viewBox: `-1 -0.8 ${blocks + 1} ${heads + 0.8}`, "aria-hidden": "true" };
  const lines = framesOfCells(blocks, heads);
  const svg = draw("svg", box, ...numbersOfBlocks(blocks), tints, lines, silent);
  const rows = { ...box, viewBox: `-1 -0.8 1 ${heads + 0.8}` };
  const numbers = draw("svg.attn-wall-rows", rows, ...numbersOfHeads(heads));
  const node = create("div.attn-wall-picture", svg, field, numbers);
  node.style.setProperty("--attn-blocks", blocks);
  node.style.setProperty("--attn-heads", heads);
  chooseHead(view, field, cell);
  const inked = pictured(view, ink);
  let drawn = null;

  function mark(name) {
    const [block, head] = view.get("chosen");
    cell.style.setProperty("--attn-block", block);
    cell.style.setProperty("--attn-head", head);
    cell.parentElement.setAttribute("aria-rowindex", head + 1);
    cell.setAttribute("aria-colindex", block + 1);
    cell.setAttribute("aria-label", name);
  }

  function show(maps, { values, most }) {
    tints.replaceChildren(...tintsOf(values, most, blocks, heads));
    if (maps === drawn) return;
    drawn = maps;
    inked(pictureOf(maps, blocks, heads));
  }
  /** Cross out what is silent. */
  function silence(changes) {
    const crossed = ([block, head]) => `M${block} ${head}l1 1m0 -1l-1 1`;
    silent.setAttribute("d", (changes.silenced ?? []).map(crossed).join(""));
  }
  return { node, cell, show, mark, silence };
}

// ---- one cell of the grid is in the page, the chosen one, and it moves

function movingCell() {
  const attributes = { role: "gridcell", tabindex: "0", "aria-selected": "true" };
  return create("div.attn-wall-cell", attributes);
}

function gridNames(blocks, heads) {
  const label = "All heads: blocks across, heads down. Arrow keys choose one.";
  return { role: "grid", "aria-label": label, "aria-colcount": blocks, "aria-rowcount": heads };
}

/** A click chooses a head, and Enter or Space; where the model can be operated, both silence it. */
function chooseHead(view, field, cell) {
  const [blocks, heads] = [view.get("blocks"), view.get("heads")];
  const within = (number, count) => Math.min(Math.max(number, 0), count - 1);
  const choose = (block, head) =>
    view.share({ chosen: [within(block, blocks), within(head, heads)] });
  view.listen(field, "click", ({ clientX, clientY }) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    const [across, down] = [(clientX - left) / width, (clientY - top) / height];
    choose(Math.floor(across * blocks), Math.floor(down * heads));
    if (isOperable(view)) view.share(toggled(view, view.get("chosen")));
    cell.focus({ preventScroll: true });
  });
  view.listen(cell, "keydown", (event) => {
    if (event.metaKey || event.altKey || event.shiftKey) return;
    if ((event.key === "Enter" || event.key === " ") && isOperable(view)) {
      event.preventDefault();
      view.share(toggled(view, view.get("chosen")));
    }
    const next = stepTo(event, view.get("chosen"), blocks, heads);
    if (!next) return;
    event.preventDefault();
    choose(...next);
  });
}

/** As in any grid: an arrow goes one step, Home and End to the ends of a row, with Control of all,
 *  Page Up and Page Down to the ends of a column. */
function stepTo({ key, ctrlKey }, [block, head], blocks, heads) {
  if (ctrlKey) return { Home: [0, 0], End: [blocks - 1, heads - 1] }[key];
  return {
    ArrowLeft: [block - 1, head],
    ArrowRight: [block + 1, head],
    ArrowUp: [block, head - 1],
    ArrowDown: [block, head + 1],
    Home: [0, head],
    End: [blocks - 1, head],
    PageUp: [block, 0],
    PageDown: [block, heads - 1],
  }[key];
}

// ---- what is drawn

const numberAt = (x, y, number) => draw("text.attn-wall-number", { x, y }, String(number));

function numbersOfBlocks(blocks) {
  const fives = Array.from({ length: Math.ceil(blocks / 5) }, (_, k) => 5 * k);
  return fives.map((block) => numberAt(block + 0.5, -0.2, block));
}

/** They stay in sight where the wall is scrolled. */
function numbersOfHeads(heads) {
  return Array.from({ length: heads }, (_, head) => numberAt(-0.45, head + 0.68, head));
}

function framesOfCells(blocks, heads) {
  const across = Array.from({ length: heads + 1 }, (_, head) => `M0 ${head}h${blocks}`);
  const down = Array.from({ length: blocks + 1 }, (_, block) => `M${block} 0v${heads}`);
  return draw("path.attn-wall-lines", { d: [...across, ...down].join("") });
}

/** A measure of all heads, in twenty steps of one colour. */
export function tintsOf(values, most, blocks, heads) {
  if (!values) return [];
  const byRows = Array.from(
    { length: blocks * heads },
    (_, at) => values[(at % blocks) * heads + Math.floor(at / blocks)] / most,
  );
  const paths = pathsByLevel(byRows, blocks, { width: 1, height: 1 }, shade);
  return paths.map(([step, d]) =>
    draw("path.attn-wall-tint", { d, "fill-opacity": (TINT * step) / 20 }),
  );
}

/** Paints the ink through a picture: in a style sheet, since the first state has no picture. */
function pictured(view, ink) {
  if (!globalThis.CSSStyleSheet || !document.adoptedStyleSheets) return () => {};
  const sheet = new CSSStyleSheet();
  ink.dataset.maps = crypto.getRandomValues(new Uint32Array(1))[0];
  document.adoptedStyleSheets.push(sheet);
  view.signal.addEventListener("abort", () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  });
  const selector = `.attn-ink-of-maps[data-maps="${ink.dataset.maps}"]`;
  return (picture) =>
    sheet.replaceSync(
      picture && `${selector} { --attn-maps: url(${picture}); visibility: visible }`,
    );
}

/** All maps as one picture, opaque where the weight is; nothing in node, which draws none. */
function pictureOf(maps, blocks, heads) {
  const canvas = create("canvas", { width: blocks * DOTS, height: heads * DOTS });
  const context = globalThis.ImageData && canvas.getContext("2d");
  if (!context) return "";
  const image = new ImageData(canvas.width, canvas.height);
  for (let number = 0; number < maps.count; number++) {
    const [block, head] = [Math.floor(number / heads), number % heads];
    putMap(image, maps, number, block * DOTS, head * DOTS);
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function putMap({ data, width }, { pieces, weight }, number, left, top) {
  const margin = Math.round(GAP * DOTS);
  const side = DOTS - 2 * margin;
  const place = Array.from({ length: side }, (_, dot) => Math.floor((dot * pieces.length) / side));
  place.forEach((i, y) => {
    const row = (top + margin + y) * width + left + margin;
    place.forEach((j, x) => {
      if (j <= i) data[4 * (row + x) + 3] = Math.round(255 * weight(number, i, j));
    });
  });
}
