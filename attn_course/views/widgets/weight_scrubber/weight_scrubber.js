// Change the weights of one step of the trained reader, and see at once what it writes instead.

import {
  beginView,
  create,
  createButton,
  createLive,
  follow,
  keepShowing,
  listen,
  percent,
  publish,
  renewed,
  share,
} from "../shared/common.js";
import { createLine, typingBox } from "../shared/typing.js";
import { oddsView, steppedTo, weightView } from "./columns.js";
import {
  otherDate,
  readerOf,
  readText,
  resultOf,
  shownSymbols,
  symbolOf,
  tryChange,
} from "./reading.js";
import { describeChange, describeOther, placeName, refusal, symbolName } from "./wording.js";

const AS_IT_WAS = { change: "none", places: [] };
const TOOLS = { all: "All here", hidden: "Hide", swapped: "Swap" }; // what a click does
const WHOLE = { even: "Even out", shuffled: "Shuffle", empty: "No context" };
const CHANGED = ["step", "change", "places", "shuffle", "other"];

function trialOf(model, reading, reader) {
  const traits = Object.fromEntries(CHANGED.map((name) => [name, model.get(name)]));
  return reading.whole.length ? tryChange(reading, traits, reader) : null;
}

function render({ model, el }) {
  const { frame, life } = beginView(el, "scrubber", "Weight scrubber");
  const reader = readerOf(model);
  const answers = answerView(life, model, reader);
  const weights = weightView(
    life,
    (j) => press(model, j),
    () => share(model, AS_IT_WAS),
  );
  const odds = oddsView(shownSymbols(reader), reader);
  const other = otherBox(life, model, reader);
  const said = createLive("p.attn-readout");
  const typing = typingBox(life, model, model.get("label"), { ...AS_IT_WAS, other: "" });
  const body = [answers.node, weights.node, controls(life, model, () => reading), said, odds.node];
  frame.append(...typing, ...body, other.node);
  let reading = null;

  function read() {
    reading = readText(model.get("text"), reader);
    answers.read(reading);
    weights.read(reading);
    show();
  }

  function show() {
    const trial = trialOf(model, reading, reader);
    publish(model, "result", trial ? resultOf(trial, reading, reader) : {});
    answers.show(trial);
    if (trial) weights.show(trial);
    odds.show(trial);
    other.show(reading);
    said.textContent = trial ? describeChange(trial, reading, reader) : unread(reading, reader);
  }

  follow(life, model, ["text"], read);
  follow(life, model, CHANGED, show);
  read();
  return () => life.abort();
}

function unread({ given }, reader) {
  return refusal(given, reader.longest) || "The model wrote nothing.";
}

/** A character is clicked: it gets all the weight, is hidden or swapped, or is put back. */
function press(model, j) {
  const [kind, places] = [model.get("change"), model.get("places")];
  if (kind in TOOLS && kind !== "all") {
    const others = places.filter((k) => k !== j);
    share(model, { places: places.length > others.length ? others : [...places, j].sort(upwards) });
  } else if (kind === "all" && String(places) === String(j)) share(model, AS_IT_WAS);
  else share(model, { places: [j], change: "all" });
}

const upwards = (a, b) => a - b;

// ---- the answer as it was, from which a step is chosen, and the answer with the change

function answerView(life, model, reader) {
  const digits = create("div.attn-digits", { role: "radiogroup", "aria-label": "Step to change" });
  const changed = create("span.attn-digits");
  const sure = [0, 1].map(() => create("span.attn-hint"));
  const rows = [
    ["It writes", digits],
    ["With the change", changed],
  ].map(([text, line], n) => {
    const label = create("span.attn-hint", text);
    return create("div.attn-answer-row", label, line, sure[n]);
  });
  const node = create("div.attn-answers", ...rows);
  const anew = renewed(life);
  return {
    node,
    read({ whole }) {
      node.hidden = !whole.length;
      digits.replaceChildren(...whole.map(digitOf));
      chooseAmong(anew(), model, digits);
    },
    show(trial) {
      if (!trial) return;
      [...digits.children].forEach((digit, i) => markDigit(digit, i === trial.at));
      changed.replaceChildren(...changedDigits(trial));
      [trial.before, trial.after].forEach(({ probabilities, symbol }, n) => {
        const name = symbolName(symbolOf(symbol, reader));
        sure[n].textContent = `${name} at ${percent(probabilities[symbol])}`;
      });
    },
  };
}

function digitOf(text, i) {
  const label = `${symbolName(text)}, character ${i + 1} of the answer`;
  const attributes = { role: "radio", "aria-label": label };
  return create("button.attn-digit", { type: "button", ...attributes }, text);
}

function markDigit(digit, chosen) {
  digit.setAttribute("aria-checked", chosen);
  digit.tabIndex = chosen ? 0 : -1;
}

function changedDigits({ at, iso, whole, isChanged }) {
  if (!isChanged) return [create("span.attn-hint", "the same")];
  return iso.map((text, i) => {
    const digit = create("span.attn-digit", text);
    digit.classList.toggle("attn-changed", text !== whole[i]);
    digit.classList.toggle("attn-here", i === at);
    return digit;
  });
}

function chooseAmong(life, model, line) {
  const choose = (step) => {
    line.children[step].focus();
    share(model, { step });
  };
  listen(life, line, "click", (event) => {
    const step = [...line.children].indexOf(event.target);
    if (step >= 0) choose(step);
  });
  listen(life, line, "keydown", (event) => {
    const at = [...line.children].indexOf(event.target);
    const next = steppedTo(event, at, line.children.length);
    if (next === null) return;
    event.preventDefault();
    choose(next);
  });
}

// ---- what is done to the step

function controls(life, model, reading) {
  const tool = (name) => () =>
    share(model, { change: model.get("change") === name ? "none" : name });
  const tools = Object.entries(TOOLS).map(([name, text]) =>
    changeButton(life, model, name, text, tool(name)),
  );
  const whole = Object.entries(WHOLE).map(([name, text]) =>
    changeButton(
      life,
      model,
      name,
      text,
      name === "shuffled" ? () => shuffleAgain(model) : tool(name),
    ),
  );
  const others = createButton("All others instead");
  listen(life, others, "click", () => chooseOthers(model, reading()));
  const back = createButton("Undo the change");
  listen(life, back, "click", () => share(model, AS_IT_WAS));
  const show = () => {
    const isTool = model.get("change") in TOOLS && model.get("places").length > 0;
    others.setAttribute("aria-disabled", !isTool);
    back.setAttribute("aria-disabled", model.get("change") === "none");
  };
  show();
  follow(life, model, ["change", "places"], show);
  const group = { role: "group", "aria-label": "What to do to a character" };
  return create(
    "div.attn-bar",
    create("span.attn-switch", group, ...tools),
    others,
    ...whole,
    back,
    resetButton(life, model),
  );
}

function changeButton(life, model, name, text, pressed) {
  const button = createButton(text);
  const show = () => button.setAttribute("aria-pressed", model.get("change") === name);
  keepShowing(life, model, "change", show);
  listen(life, button, "click", pressed);
  return button;
}

function shuffleAgain(model) {
  const again = model.get("change") === "shuffled" ? 1 : 0;
  share(model, { shuffle: model.get("shuffle") + again, change: "shuffled" });
}

/** Choose all characters but the chosen ones: was the answer read elsewhere? */
function chooseOthers(model, { given }) {
  const places = model.get("places");
  if (!(model.get("change") in TOOLS) || !places.length) return;
  share(model, { places: given.characters.flatMap((_, j) => (places.includes(j) ? [] : [j])) });
}

function resetButton(life, model) {
  const names = ["text", ...CHANGED]; // the text first: it redraws everything
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  return reset;
}

// ---- the date that annotations are taken from

function otherBox(life, model, reader) {
  const input = createLine("input.attn-input");
  const label = create("label.attn-question.attn-typing", OTHER, input);
  const suggest = createButton("");
  const twin = create("bdi");
  suggest.append("Take ", twin);
  const said = createLive("p.attn-hint");
  const node = create("div.attn-other-date", label, said, suggest);
  keepShowing(life, model, "other", () => {
    if (input.value !== model.get("other")) input.value = model.get("other");
  });
  listen(life, input, "input", () => share(model, { other: input.value }));
  listen(life, suggest, "click", () => share(model, { other: twin.textContent }));
  return {
    node,
    show(reading) {
      node.hidden = !reading.whole.length;
      if (node.hidden) return;
      const date = otherDate(reading, model.get("other"), reader);
      twin.textContent = date.suggested;
      suggest.hidden = !date.suggested || date.suggested === date.text;
      said.textContent = describeOther(date, reading.given);
    },
  };
}

const OTHER = "Another date, for “Swap”";

/** What the widget shows, as the rows of a table, for readers without JavaScript. */
export function table({ model }) {
  const reader = readerOf(model);
  const reading = readText(model.get("text"), reader);
  const { given, whole } = reading;
  if (!whole.length) return [["Answer"], [unread(reading, reader)]];
  const rows = whole.map((symbol, step) => {
    const tried = (change, places = []) =>
      tryChange(reading, { step, change, places, shuffle: 0, other: "" }, reader);
    const { before } = tried("none");
    const most = before.weights.indexOf(Math.max(...before.weights));
    const changes = [tried("hidden", [most]), tried("even"), tried("empty")];
    const likely = [before, ...changes.map(({ after }) => after)].map(({ probabilities }) =>
      percent(probabilities[before.symbol]),
    );
    return [symbol, placeName(given.characters, most), ...likely];
  });
  return [["Written", "Most weight on", "p(y)", ...COLUMNS], ...rows];
}

const COLUMNS = ["p(y) with that hidden", "with even weights", "with an empty context"];

export default { render };
