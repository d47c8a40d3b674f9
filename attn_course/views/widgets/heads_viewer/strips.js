// Query, key and value of one pair as rows of bars; entries that are multiplied stand below one
// another.

import { create, draw } from "../shared/common.js";
import { tokenName } from "./wording.js";

const HANDED_ON = "What is handed on?";
const GROUPS = [
  ["Does the query match the key?", { query: "target", key: "source", product: "ink" }],
  [HANDED_ON, { weights: "ink", value: "source", found: "context" }],
];

/** The rows; `show(head, [i, j])` fills them, and `silence(isSilent)` says whether they count. */
export function stripView() {
  const rows = {};
  const groups = GROUPS.map(([title, roles]) => {
    const own = Object.entries(roles).map(([name, role]) => (rows[name] = stripOf(role)));
    const hint = create("p.attn-hint", title);
    return create("div.attn-strip-group", hint, ...own.map(({ row }) => row));
  });
  const node = create("div.attn-strips", { role: "img" }, ...groups);
  return {
    node,
    silence(isSilent) {
      groups[1].firstChild.textContent = isSilent ? "Silenced: nothing is handed on" : HANDED_ON;
      groups[1].classList.toggle("attn-nothing", isSilent);
    },
    show: (head, pair) => node.setAttribute("aria-label", fillAll(rows, head, pair)),
  };
}

function stripOf(role) {
  const label = create("span.attn-strip-name");
  const bars = draw("path", { class: `attn-bars attn-of-${role}` });
  const marked = draw("path", { class: `attn-marked attn-of-${role}` });
  const zero = draw("path.attn-zero");
  const box = { "aria-hidden": "true", preserveAspectRatio: "none" };
  const svg = draw("svg", box, bars, marked, zero);
  const note = create("span.attn-strip-note");
  const row = create("div.attn-strip", label, note, svg);
  return { row, label, svg, bars, marked, zero, note };
}

/** Fill the rows for one pair, and say the same in words. */
function fillAll(rows, head, [i, j]) {
  const [query, key, value, found] = [head.queries[i], head.keys[j], head.values[j], head.found[i]];
  const product = query.map((entry, k) => entry * key[k]);
  const size = query.length;
  const score = inWords(product.reduce((sum, entry) => sum + entry, 0) / Math.sqrt(size));
  const weight = head.weights[i][j].toFixed(2);
  const [asking, asked] = [tokenName(head.target[i]), tokenName(head.source[j])];
  // the same scale for all places of the head, so that another pair can be compared with this one
  const matched = largest([...head.queries, ...head.keys]);
  const handed = largest([...head.values, ...head.found]);
  fill(rows.query, ["q", asking, "what it asks"], query, matched);
  fill(rows.key, ["k", asked, "what it answers to"], key, matched);
  fill(rows.product, ["q × k", "", `Σ ÷ √${size} = ${score}`], product, largest([product]));
  fill(rows.weights, ["α", asking, `for ${asked}: ${weight}`], head.weights[i], 1, j);
  fill(rows.value, ["v", asked, `× ${weight}`], value, handed);
  fill(rows.found, ["Σ α v", "", "over all positions"], found, handed);
  return `The query of ${asking} and the key of ${asked}: score ${score}, weight ${weight}.`;
}

/** One row. If an entry is marked, the row is one of shares, and stands on its zero line. */
function fill(row, [symbol, of, words], vector, most, marked = null) {
  row.label.replaceChildren(create("b", symbol), of && ` of ${of}`);
  const [top, height] = marked === null ? [-1, 2] : [-1.05, 1.1];
  row.svg.setAttribute("viewBox", `0 ${top} ${vector.length} ${height}`);
  row.bars.setAttribute(
    "d",
    barsOf(vector, most, (k) => k !== marked),
  );
  row.marked.setAttribute(
    "d",
    barsOf(vector, most, (k) => k === marked),
  );
  row.bars.classList.toggle("attn-aside", marked !== null);
  row.zero.setAttribute("d", `M0,0H${vector.length}`);
  row.note.textContent = words;
}

function inWords(number) {
  return number.toFixed(1).replace("-", "−");
}

function largest(vectors) {
  let most = Number.MIN_VALUE;
  for (const vector of vectors) for (const entry of vector) most = Math.max(most, Math.abs(entry));
  return most;
}

/** A bar for each of these entries, up or down from zero. */
function barsOf(vector, most, isDrawn) {
  return Array.from(vector, (entry, k) => {
    const height = (-0.95 * entry) / most;
    return isDrawn(k) ? `M${(k + 0.1).toFixed(1)},0v${height.toFixed(3)}h0.8V0z` : "";
  }).join("");
}
