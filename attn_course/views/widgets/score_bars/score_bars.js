// Drag the scores, and see the weights share one unit.

import {
  beginView,
  capital,
  create,
  createLive,
  draw,
  grouped,
  named,
  percent,
  series,
} from "../shared/common.js";
import { resetFor, switchFor } from "../shared/controls.js";
import { playButton } from "../shared/playing.js";
import { answersOf, entropy, weigh } from "../shared/weighing.js";

const RULES = { softmax: "Softmax", sparsemax: "Sparsemax", hard: "Hard choice" };
const STEEPEST = { softmax: 0.25, sparsemax: 1, hard: 1 }; // how much a weight can respond at most
const NOTHING =
  "Nothing may be read, so there are no weights: shares of nothing cannot add up to one. " +
  "Let at least one word be read.";
const SHOWN = ["scores", "readable", "temperature", "rule", "selected"];

function render({ model, el }) {
  const view = beginView({ model, el }, "scores", "Scores and weights");
  const { frame } = view;
  const bar = create("div.attn-bar");
  const table = create("div.attn-entries");
  const strip = create("div.attn-strip", { "aria-hidden": "true" });
  const words = createLive("p.attn-readout");
  const answer = createLive("p.attn-readout.attn-answered");
  const curve = curveView();
  const said = create("div.attn-said", words, answer);
  frame.append(bar, table, strip, create("div.attn-below", said, curve.node));
  const newRows = view.renewed();
  const head = headOf();
  let rows = [];

  function drawRows() {
    const part = newRows();
    rows = view.get("tokens").map((_, j) => rowOf(part, j));
    table.replaceChildren(head.node, ...rows.map(({ node }) => node));
    strip.replaceChildren(...rows.map(({ segment }) => segment));
    update();
  }

  function update() {
    const state = stateOf(view);
    rows.forEach((row, j) => row.update(state, j));
    curve.show(state);
    [words.textContent, answer.textContent] = inSentences(state);
    head.answerer.textContent = `${named(state.tokens[state.selected])} responds`;
    strip.classList.toggle("attn-empty", state.weights === null);
  }

  bar.append(
    ruleChoice(view),
    temperatureSlider(view),
    warmButton(view),
    shiftChoice(view),
    resetFor(view, SHOWN),
  );
  view.follow(["tokens"], drawRows);
  view.follow(SHOWN, update);
  drawRows();
  return () => view.end();
}

/** The names of the columns; the last says whose response is shown. */
function headOf() {
  const names = ["Read", "Score: drag", "Weight: press"];
  const head = names.map((text) => create("span.attn-hint", text));
  const answerer = create("span.attn-hint");
  [...head, answerer].forEach((node, column) => (node.style.gridColumn = [1, 2, 4, 5][column]));
  const node = create("div.attn-entry.attn-names", { "aria-hidden": "true" }, ...head, answerer);
  return { node, answerer };
}

function stateOf(model) {
  const names = [...SHOWN, "tokens", "low", "high"];
  const state = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const { rule, scores, readable, temperature, selected } = state;
  const weights = weigh(rule, scores, readable, temperature);
  const answers = weights && answersOf(rule, weights, selected, temperature);
  return { ...state, weights, answers };
}

/** A copy of a list with one entry changed; the model must see that it is another list. */
function changed(list, place, value) {
  return list.map((old, j) => (j === place ? value : old));
}

/** One word: whether it is read, its score, its weight, and how the chosen weight responds to it. */
function rowOf(view, j) {
  const token = view.get("tokens")[j];
  const parts = [readCell(token), scoreCell(token, view), weightCell(token), answerCell()];
  const node = create("div.attn-entry", ...parts.flatMap(({ nodes }) => nodes));
  const segment = create("span", create("bdi", token));
  const [{ box }, { slide }, { weight }] = parts;
  view.listen(box, "change", () =>
    view.share({ readable: changed(view.get("readable"), j, box.checked) }),
  );
  view.listen(slide, "input", () =>
    view.share({ scores: changed(view.get("scores"), j, Number(slide.value)) }),
  );
  view.listen(weight, "click", () => view.share({ selected: j }));

  function update(state) {
    const mine = state.weights ? state.weights[j] : 0;
    const text = state.weights ? shareOf(mine) : "–";
    for (const part of parts) part.show(state, j, mine, text);
    node.classList.toggle("attn-hidden", !state.readable[j]);
    segment.style.flexGrow = mine;
    segment.classList.toggle("attn-thin", mine < 0.1);
  }
  return { node, segment, update };
}

function readCell(token) {
  const box = create("input", { type: "checkbox", "aria-label": `Read ${token}` });
  const name = create("label.attn-read", box, create("bdi", token));
  const show = ({ readable }, j) => {
    box.checked = readable[j];
  };
  return { nodes: [name], box, show };
}

/** The score as a slider upon a bar that begins at zero, and as a number. */
function scoreCell(token, model) {
  const range = { min: model.get("low"), max: model.get("high"), step: 0.1 };
  const slide = create("input.attn-slide", {
    type: "range",
    ...range,
    "aria-label": `Score of ${token}`,
  });
  const fill = create("div.attn-fill");
  const track = create("div.attn-track", fill, slide);
  const score = create("span.attn-number", { "aria-hidden": "true" });
  const show = ({ low, high, scores, readable }, j, _, text) => {
    if (Number(slide.value) !== scores[j]) slide.value = scores[j];
    const hidden = readable[j] ? "" : ", not read";
    slide.setAttribute("aria-valuetext", `${scoreOf(scores[j])}, weight ${text}${hidden}`);
    const place = (value) => (value - low) / (high - low);
    const zero = Math.min(Math.max(place(0), 0), 1);
    fill.style.setProperty("--attn-from", Math.min(zero, place(scores[j])));
    fill.style.setProperty("--attn-to", Math.max(zero, place(scores[j])));
    track.style.setProperty("--attn-zero", zero);
    score.textContent = scoreOf(scores[j]);
  };
  return { nodes: [track, score], slide, show };
}

/** The weight as a bar and a number: a button that shows what it responds to. */
function weightCell(token) {
  const amount = create("span.attn-share");
  const weight = create(
    "button.attn-weight",
    { type: "button" },
    create("span.attn-amount"),
    amount,
  );
  const show = ({ selected }, j, mine, text) => {
    weight.style.setProperty("--attn-share", mine);
    amount.textContent = text;
    weight.setAttribute("aria-label", `Weight of ${token}: ${text}. Show what it responds to.`);
    weight.setAttribute("aria-pressed", j === selected);
  };
  return { nodes: [weight], weight, show };
}

/** How the chosen weight responds to this score: a lever that leans, and the slope. */
function answerCell() {
  const answer = create("div.attn-answer", { "aria-hidden": "true" });
  const slope = create("span.attn-slope");
  answer.append(create("span.attn-lever"), slope);
  const show = ({ answers, rule, temperature }, j) => {
    const full = STEEPEST[rule] * Math.max(1, 1 / temperature);
    answer.style.setProperty("--attn-lean", answers ? Math.min(Math.abs(answers[j]) / full, 1) : 0);
    answer.classList.toggle("attn-falls", Boolean(answers) && answers[j] < 0);
    slope.textContent = answers ? slopeOf(answers[j]) : "–";
  };
  return { nodes: [answer], show };
}

function ruleChoice(view) {
  return switchFor(view, "rule", "From scores to weights by", Object.entries(RULES));
}

// ---- the weight of one word against its own score: an S under softmax

const CURVE = { width: 240, height: 128, left: 20, right: 6, top: 8, bottom: 20 };
const POINTS = 120;

/** The curve, the place on it where the score is, and its slope there. */
function curveView() {
  const line = draw("path.attn-curve");
  const slope = draw("path.attn-tangent");
  const here = draw("circle.attn-here", { r: 5 });
  const label = (text, x, y, anchor) => draw("text", { x, y, "text-anchor": anchor }, text);
  const { width, height, left, right, top, bottom } = CURVE;
  const ends = [label("", left, height - 5, "start"), label("", width - right, height - 5, "end")];
  const axes = `M${left},${top} V${height - bottom} H${width - right}`;
  const svg = draw(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img" },
    draw("path.attn-axis", { d: axes }),
    label("1", left - 5, top + 5, "end"),
    label("0", left - 5, height - bottom + 3, "end"),
    ...ends,
    line,
    slope,
    here,
  );
  const caption = create("p.attn-hint");
  const node = create("div.attn-curve-of-one", caption, svg);

  function show(state) {
    const { tokens, selected, low, high, scores, weights, answers } = state;
    const name = named(tokens[selected]);
    caption.textContent = `The weight of ${name} against its own score`;
    const weight = weights ? shareOf(weights[selected]) : "none";
    svg.setAttribute("aria-label", `At ${scoreOf(scores[selected])} its weight is ${weight}.`);
    [low, high].forEach((end, k) => (ends[k].textContent = scoreOf(end)));
    for (const part of [line, slope, here]) part.toggleAttribute("hidden", weights === null);
    if (weights === null) return;
    line.setAttribute("d", pathOf(state));
    const [x, y] = onCurve(state, scores[selected], weights[selected]);
    here.setAttribute("cx", x);
    here.setAttribute("cy", y);
    slope.setAttribute("d", tangentAt(state, [x, y], answers[selected]));
  }
  return { node, show };
}

/** A score and a weight, in the units of the drawing. */
function onCurve({ low, high }, score, weight) {
  const { width, height, left, right, top, bottom } = CURVE;
  return [
    left + ((width - left - right) * (score - low)) / (high - low),
    height - bottom - (height - top - bottom) * weight,
  ];
}

function pathOf(state) {
  const { rule, scores, readable, temperature, selected, low, high } = state;
  const points = Array.from({ length: POINTS + 1 }, (_, k) => {
    const score = low + ((high - low) * k) / POINTS;
    const weights = weigh(rule, changed(scores, selected, score), readable, temperature);
    return onCurve(state, score, weights[selected]);
  });
  return `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L")}`;
}

/** A short line in the direction of the curve: 40 units long, whatever its slope. */
function tangentAt(state, [x, y], slope) {
  const [x0, y0] = onCurve(state, state.low, 0);
  const [x1, y1] = onCurve(state, state.low + 1, slope);
  const far = 20 / Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [far * (x1 - x0), far * (y1 - y0)];
  return `M${(x - dx).toFixed(1)},${(y - dy).toFixed(1)} l${(2 * dx).toFixed(1)},${(2 * dy).toFixed(1)}`;
}

// ---- temperature

const COLDEST = -2; // as powers of two
const HOTTEST = 6;
const WARMING = 8; // seconds

/** Runs the temperature from the coldest to the hottest; `speak` says whether changes of the
 *  sentence are to be read out. */
function warmButton(view) {
  let sent = null;
  const from = () => view.get("temperature");
  const begin = () => {
    sent = from();
  };
  const frame = (part) => {
    if (from() !== sent) return false; // moved by hand, or by Python
    sent = 2 ** (COLDEST + (HOTTEST - COLDEST) * part);
    view.model.set("temperature", sent);
    return true;
  };
  const end = () => view.model.save_changes();
  return playButton(view, ["Warm it up", "Pause"], WARMING, { begin, frame, end });
}

/** From a quarter to 64: each step to the right is warmer by the same factor. */
function temperatureSlider(view) {
  const input = create("input.attn-warmth", {
    type: "range",
    min: COLDEST,
    max: HOTTEST,
    step: 0.25,
    "aria-label": "Temperature",
  });
  const value = create("span.attn-number", { "aria-hidden": "true" });
  const show = () => {
    const temperature = view.get("temperature");
    input.value = Math.log2(temperature);
    value.textContent = String(Number(temperature.toPrecision(3)));
    input.setAttribute("aria-valuetext", value.textContent);
  };
  show();
  view.follow(["temperature"], show);
  view.listen(input, "input", () => view.share({ temperature: 2 ** Number(input.value) }));
  return create("label.attn-field", "Temperature", input, value);
}

/** The same constant added to every score: nothing happens to the weights. */
function shiftChoice(view) {
  const attributes = { role: "group", "aria-label": "Add a constant to all scores" };
  const buttons = [-1, 1].map((constant) => shiftButton(view, constant));
  return create("div.attn-switch", attributes, ...buttons);
}

function shiftButton(view, constant) {
  const moved = () => view.get("scores").map((score) => Number((score + constant).toFixed(6)));
  const fits = (score) => score >= view.get("low") && score <= view.get("high");
  const button = view.button(constant > 0 ? "All + 1" : "All − 1", () => {
    if (moved().every(fits)) view.share({ scores: moved() });
  });
  view.keepShowing("scores", () => {
    button.setAttribute("aria-disabled", !moved().every(fits));
  });
  return button;
}

// ---- in words

function scoreOf(score) {
  return score.toFixed(1).replace("-", "−");
}

/** A weight as a percentage: "0" is none at all, "< 0.01 %" is little. */
function shareOf(weight) {
  if (weight === 0) return "0";
  if (weight === 1) return "100\u00a0%";
  if (weight > 0.9999) return ">\u00a099.99\u00a0%";
  if (weight < 0.0001) return "<\u00a00.01\u00a0%";
  const digits = weight > 0.99 || weight < 0.01 ? 2 : 1;
  return `${(100 * weight).toFixed(digits)}\u00a0%`;
}

function slopeOf(slope) {
  if (slope === 0) return "0";
  const sign = slope > 0 ? "+" : "−";
  const size = Math.abs(slope);
  return size < 0.001 ? `${sign} < 0.001` : `${sign} ${size.toFixed(3)}`;
}

/** What there is to see: the weights, and how the chosen one responds. */
function inSentences(state) {
  const { tokens, weights, rule } = state;
  if (weights === null) return [NOTHING, ""];
  const ranked = tokens.map((_, j) => j).sort((a, b) => weights[b] - weights[a]);
  const some = ranked.filter((j) => weights[j] > 0);
  const first = some.slice(0, 2).map((j) => `${named(tokens[j])} gets ${shareOf(weights[j])}`);
  const spread = entropy(weights);
  const like = Number(Math.exp(spread).toFixed(2));
  const alike = `as if ${like} ${like === 1 ? "word" : "words"} shared equally`;
  const count = `${some.length} of ${tokens.length} words ${some.length === 1 ? "has" : "have"} weight.`;
  const cold = rule === "hard" ? " Temperature changes nothing here." : "";
  return [
    `${capital(series(first))}. Entropy ${spread.toFixed(3)} nats, ${alike}. ${count}${cold}`,
    answered(state),
  ];
}

function answered({ tokens, answers, readable, rule, selected }) {
  const who = `the weight of ${named(tokens[selected])}`;
  const pair = (k) =>
    `${k === selected ? "its own score" : named(tokens[k])} (${slopeOf(answers[k])})`;
  const ranked = tokens
    .map((_, k) => k)
    .sort((a, b) => Math.abs(answers[b]) - Math.abs(answers[a]));
  const felt = ranked.filter((k) => Math.abs(answers[k]) >= 0.001).slice(0, 3);
  if (!readable[selected])
    return `${capital(who)} is 0 whatever the scores are: it may not be read.`;
  if (felt.length) {
    return `For each unit that one score rises, ${who} changes at this rate: ${series(felt.map(pair))}.`;
  }
  if (answers.some((slope) => slope !== 0)) {
    return `${capital(who)} hardly responds to any score: the softmax is saturated.`;
  }
  const none = rule === "hard" ? "a hard choice has no gradient" : "here its gradient is zero";
  return `${capital(who)} responds to no small change of any score: ${none}.`;
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const { tokens, scores, readable, weights, rule } = stateOf(model);
  const weight = (j) => (weights ? percent(weights[j]) : "none");
  return [
    ["Word", "Score", `Weight: ${RULES[rule]}`],
    ...tokens.map((token, j) => [
      token,
      grouped(Number(scores[j].toPrecision(6))),
      readable[j] ? weight(j) : "not read",
    ]),
  ];
}

export default { render };
