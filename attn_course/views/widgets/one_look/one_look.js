// One look by hand: a query, a few keys, and every number from their products to the average.

import {
  beginView,
  create,
  createLive,
  grouped,
  highest,
  series,
  shade,
} from "../shared/common.js";
import { resetFor, switchFor } from "../shared/controls.js";
import { planeView } from "../shared/plane.js";
import { attendWith } from "../shared/score_functions.js";

// ---- the arithmetic

/** All that follows from a query: the scores, e to each score, their sum, shares and average. */
export function lookOf(query, keys, values) {
  const { scores, weights, context } = attendWith("dot", query, keys, {}, 1, values);
  const powers = scores.map(Math.exp);
  const total = powers.reduce((sum, power) => sum + power, 0);
  return { query, scores, powers, total, weights, context };
}

/** What is shown: the look of the one who asks, or those of all. */
function chosen(model) {
  const [keys, values, askers] = ["key_points", "value_points", "askers"].map((n) => model.get(n));
  const all = askers.length > 0 && model.get("asker") === 0;
  const asking = all ? askers : [askers[model.get("asker") - 1] ?? model.get("query")];
  const looks = asking.map((query) => lookOf(query, keys, values));
  return { looks, keys, values, all, step: model.get("step") };
}

// ---- the numbers as they are shown

const number = (entry, least = 0) => grouped(Math.round(100 * entry) / 100, { least, most: 2 });
const vector = (entries, least) => `(${entries.map((entry) => number(entry, least)).join(", ")})`;

export function power(value) {
  if (value < 0.005) return "<\u00a00.01";
  const decimals = value < 99.995 ? 2 : 0;
  return grouped(value, { least: decimals, most: decimals });
}

/** In whole percent, but to one decimal within 1 % of nothing and of everything. */
export function portion(weight) {
  const hundred = 100 * weight;
  if (hundred < 0.05) return "<\u00a00.1\u00a0%";
  if (hundred >= 99.95) return ">\u00a099.9\u00a0%";
  return `${hundred.toFixed(hundred < 0.95 || hundred >= 99.05 ? 1 : 0)}\u00a0%`;
}

/** "0.8 × 2 + 1.2 × (−1.5)": a negative number behind a sign stands in brackets. */
function productsOf(query, key) {
  const factor = (entry, kind, first) => {
    const text = entry < 0 && !first ? `(${number(entry)})` : number(entry);
    return create("span", { class: `attn-of-${kind}` }, text);
  };
  return key.flatMap((entry, k) => {
    const pair = [factor(query[k], "query", k === 0), " × ", factor(entry, "key", false)];
    return [k ? " + " : "", create("span.attn-term", ...pair)];
  });
}

function averageOf({ weights, context }, values) {
  const terms = values.flatMap((value, j) => {
    const point = create("span.attn-of-key", vector(value));
    const term = [`${weights[j].toFixed(3)} · `, point];
    return [j ? " + " : "", create("span.attn-term", ...term)];
  });
  const found = create("b.attn-of-context", vector(context, 2));
  return ["Average c = ", ...terms, create("span.attn-term", " = ", found)];
}

// ---- the table

const cell = (...parts) => create("td", ...parts);
const header = (scope, ...parts) => create("th", { scope }, ...parts);
const line = (...cells) => create("tr", ...cells);
const numbered = (scope, j, kind = "") =>
  header(scope, create("span", { class: `attn-number ${kind}` }, j + 1));

function shareCell(weight) {
  const node = create("td.attn-weight", portion(weight));
  node.style.background = `var(--attn-weight-${shade(weight)})`;
  node.style.color = `var(--attn-on-weight-${shade(weight)})`;
  return node;
}

/** One look: a row for each key, and under the powers their sum. */
function rowsOfOne({ looks: [look], keys, step }) {
  const isShort = step === "scores";
  const exponent = create("sup", "score");
  const more = isShort ? [] : [header("col", "e", exponent), header("col", "share")];
  const rows = keys.map((key, j) => {
    const score = create("b.attn-term", ` = ${number(look.scores[j])}`);
    const shares = isShort ? [] : [cell(power(look.powers[j])), shareCell(look.weights[j])];
    return line(numbered("row", j), cell(...productsOf(look.query, key), score), ...shares);
  });
  const sum = line(cell(), cell("together"), cell(power(look.total)), cell());
  return [
    line(header("col", "key"), header("col", "multiply and add: the score"), ...more),
    ...rows,
    ...(isShort ? [] : [sum]),
  ];
}

/** All looks: who asks in rows, who is asked in columns. */
function rowsOfAll({ looks, keys, step }) {
  const more = step === "average" ? [header("col", "average")] : [];
  return [
    line(header("col", "asks"), ...keys.map((_, j) => numbered("col", j)), ...more),
    ...looks.map(({ scores, weights, context }, i) => {
      const found =
        step === "scores" ? scores.map((one) => cell(number(one))) : weights.map(shareCell);
      return line(
        numbered("row", i, "attn-asks"),
        ...found,
        ...more.map(() => cell(vector(context, 2))),
      );
    }),
  ];
}

// ---- in words

function said({ looks: [look], step }) {
  const most = highest(look.scores);
  const [isTie, isAll] = [most.length > 1, most.length === look.scores.length];
  const which = series(most.map((j) => j + 1));
  const who = isAll ? "All keys" : `${isTie ? "Keys" : "Key"} ${which}`;
  if (step === "scores") {
    const score = `the ${isAll ? "same" : "highest"} score, ${number(look.scores[most[0]])}`;
    return `${who} ${isTie ? "have" : "has"} ${score}.`;
  }
  const share = `the ${isAll ? "same" : "largest"} share, ${portion(look.weights[most[0]])}`;
  const shares = `${who} ${isTie ? `get ${share} each` : `gets ${share}`}.`;
  return step === "average" ? `${shares} The average is ${vector(look.context, 2)}.` : shares;
}

function inWords(model) {
  const now = chosen(model);
  if (now.all) return "All positions ask: each row is one look.";
  const who = model.get("asker") ? `Position ${model.get("asker")} asks with` : "The query is";
  return `${who} ${vector(now.looks[0].query)}. ${said(now)}`;
}

// ---- the widget

function askerChoice(view) {
  const names = [...view.get("askers").map((_, i) => [i + 1, `${i + 1}`]), [0, "all"]];
  return create("div.attn-field", "Who asks?", switchFor(view, "asker", "Who asks?", names));
}

function planeOf(view) {
  const { keys, values } = chosen(view);
  const isOwn = JSON.stringify(keys) !== JSON.stringify(values); // the values lie elsewhere
  const placed = [...keys, ...(isOwn ? values : [])];
  const kinds = placed.map((_, n) => {
    const [kind, j] = n < keys.length ? ["key", n + 1] : ["value", n + 1 - keys.length];
    return { kind, name: `${kind} ${j}`, letter: kind === "key" ? j : `v${j}`, fixed: true };
  });
  const query = {
    kind: "query",
    name: "query",
    letter: "q",
    fixed: view.get("askers").length > 0,
  };
  const where = (n) => {
    if (n) return placed[n - 1];
    const { all, looks } = chosen(view);
    return all ? null : looks[0].query;
  };
  const { node, show } = planeView(view, "The plane of query and keys", [query, ...kinds], {
    where,
    move: (_, point) => view.share({ query: point }),
    done() {},
    parts: 10, // so that a reader can follow by hand
  });
  return {
    node,
    show({ looks, all, step }) {
      const label = (n) => `${n ? `${kinds[n - 1].name} at` : "Query at"} ${vector(where(n))}`;
      const named = looks.map((look, i) => ({ ...look, name: all ? `c${i + 1}` : "c" }));
      show(step === "average" ? named : [], values, label);
    },
  };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "look", "One look by hand");
  const traits = ["query", "asker"];
  const plane = planeOf(view);
  const choice = view.get("askers").length ? askerChoice(view) : null;
  const rows = create("tbody");
  const table = create("table.attn-sums.attn-rows", rows);
  const average = create("p.attn-average");
  const words = createLive("p.attn-readout");
  const by = choice ? "" : "Drag q, or reach it with Tab and move it with the arrow keys. ";
  const hint = create("p.attn-hint", `${by}Each number is rounded separately.`);
  const bar = create("div.attn-bar", ...(choice ? [choice] : []), resetFor(view, traits));
  const moved = create("div.attn-moved", plane.node, bar, hint);
  const written = create("div.attn-written", table, average, words);
  view.frame.append(create("div.attn-sides", moved, written));

  function update() {
    const now = chosen(view);
    plane.show(now);
    rows.replaceChildren(...(now.all ? rowsOfAll : rowsOfOne)(now));
    const isShown = now.step === "average" && !now.all;
    average.replaceChildren(...(isShown ? averageOf(now.looks[0], now.values) : []));
    words.textContent = inWords(view);
  }

  view.follow(traits, update);
  update();
  return () => view.end();
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const now = chosen(model);
  const rows = (now.all ? rowsOfAll : rowsOfOne)(now);
  const texts = rows.map((row) => [...row.children].map((one) => one.textContent));
  if (now.step !== "average" || now.all) return texts;
  return [...texts, ["", "average", "", vector(now.looks[0].context, 2)]];
}

export default { render };
