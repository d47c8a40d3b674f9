// A canvas, the weights over its cells, boxes around its digits, and what is read off it.

import { create, draw, percent, shade, wholePercent } from "./common.js";

const LEVELS = 10; // of ink: finer steps could not be told apart
const FRAMED = 0.05; // a cell with less weight gets no frame on the canvas

/** A path of all entries that `levelOf` gives the same level, for each level above 0. */
export function pathsByLevel(entries, columns, size, levelOf) {
  const paths = new Map();
  for (let at = 0; at < entries.length; at++) {
    const level = levelOf(entries[at]);
    const column = at % columns;
    let run = 1; // neighbours of one level are drawn in one piece
    while (column + run < columns && levelOf(entries[at + run]) === level) run++;
    const [x, y] = [column * size.width, Math.floor(at / columns) * size.height];
    const piece = `M${x} ${y}h${run * size.width}v${size.height}h${-run * size.width}z`;
    if (level > 0) paths.set(level, `${paths.get(level) ?? ""}${piece}`);
    at += run - 1;
  }
  return [...paths];
}

/** The ink of a canvas, pixels from 0 to 1. */
export function inkOf(pixels, columns) {
  const level = (value) => Math.round(LEVELS * Math.min(Math.max(value, 0), 1));
  return pathsByLevel(pixels, columns, { width: 1, height: 1 }, level).map(([step, d]) =>
    draw("path.attn-ink", { "fill-opacity": step / LEVELS, d }),
  );
}

/** The weights over cells, as shades from paper to ink. */
export function shadesOf(weights, cells, { rows, columns }) {
  const size = { width: columns / cells.columns, height: rows / cells.rows };
  return pathsByLevel(weights, cells.columns, size, shade).map(([step, d]) =>
    draw("path.attn-cells", { d, style: `fill: var(--attn-weight-${step})` }),
  );
}

/** A frame around each cell that has weight: the more, the thicker. */
export function framesOf(weights, cells, { rows, columns }) {
  const [width, height] = [columns / cells.columns, rows / cells.rows];
  return [...weights].flatMap((weight, at) => {
    if (weight < FRAMED) return [];
    const [x, y] = [(at % cells.columns) * width, Math.floor(at / cells.columns) * height];
    const place = { x: x + 0.3, y: y + 0.3, width: width - 0.6, height: height - 0.6 };
    return [draw("rect.attn-cell", { ...place, "stroke-width": 1 + 3 * weight })];
  });
}

/** The exact boxes [top, left, bottom, right], half open. */
export function outlinesOf(boxes) {
  return boxes.map(([top, left, bottom, right]) =>
    draw("rect.attn-box", { x: left, y: top, width: right - left, height: bottom - top }),
  );
}

/** A drawing of so many rows and columns under a caption; `show(label, ...parts)` fills it. */
export function panel(caption, look = "") {
  const svg = draw("svg", { role: "img" });
  const node = create("div", { class: `attn-panel ${look}` }, create("p.attn-hint", caption), svg);
  return {
    node,
    svg,
    show({ rows, columns }, label, ...parts) {
      svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
      svg.setAttribute("aria-label", label);
      svg.replaceChildren(draw("rect.attn-ground", { width: columns, height: rows }), ...parts);
    },
  };
}

/** A bar for each symbol that may be read; `show(probabilities)` sets their heights. */
export function chancesView(symbols, label) {
  const bars = symbols.map((symbol) => {
    const bar = create("span.attn-chance-bar");
    const share = create("span.attn-chance-share");
    const track = create("span.attn-chance-track", bar);
    const name = create("b", symbol);
    return { bar, share, node: create("li", share, track, name) };
  });
  const list = create("ul.attn-chances", { "aria-label": label }, ...bars.map(({ node }) => node));
  const caption = create("p.attn-hint", `${label}, in per cent`);
  return {
    node: create("div", caption, list),
    show(chances) {
      const most = Math.max(...chances);
      bars.forEach(({ bar, share, node }, at) => {
        bar.style.height = `${(100 * chances[at]).toFixed(1)}%`;
        share.textContent = wholePercent(chances[at]);
        node.classList.toggle("attn-chosen-symbol", chances[at] === most);
      });
    },
  };
}

// ---- in words

/** The number of the cell with the largest weight. */
export function heaviest(weights) {
  return weights.indexOf(Math.max(...weights));
}

/** "row 3 of 6, column 2 of 8" */
export function cellInWords(at, { rows, columns }) {
  return `row ${Math.floor(at / columns) + 1} of ${rows}, column ${(at % columns) + 1} of ${columns}`;
}

/** The share of the weight on cells whose centres lie in a box. */
export function shareInside(weights, cells, { rows, columns }, [top, left, bottom, right]) {
  return [...weights].reduce((sum, weight, at) => {
    const y = ((Math.floor(at / cells.columns) + 0.5) * rows) / cells.rows;
    const x = (((at % cells.columns) + 0.5) * columns) / cells.columns;
    return top <= y && y < bottom && left <= x && x < right ? sum + weight : sum;
  }, 0);
}

/** Where the largest weight lies, and how much it is. */
export function placeInWords(weights, cells) {
  const at = heaviest(weights);
  return `${percent(weights[at])} of the weight lies on one cell, ${cellInWords(at, cells)}`;
}
