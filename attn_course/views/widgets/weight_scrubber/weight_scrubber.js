// Change the weights of one step of the trained reader, and see at once what it writes instead.

import { textReader } from "../shared/bahdanau.js";
import { beginView, create, createLive, percent } from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { createLine, typingBox } from "../shared/typing.js";
import { oddsView, steppedTo, weightView } from "./columns.js";
import { otherDate, readText, resultOf, shownSymbols, symbolOf, tryChange } from "./reading.js";
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
  const view = beginView({ model, el }, "scrubber", "Weight scrubber");
  const reader = textReader(view);
  const answers = answerView(view, reader);
  const weights = weightView(
    view,
    (j) => press(view, j),
    () => view.share(AS_IT_WAS),
  );
  const odds = oddsView(shownSymbols(reader), reader);
  const other = otherBox(view, reader);
  const said = createLive("p.attn-readout");
  const typing = typingBox(view, view.get("label"), { ...AS_IT_WAS, other: "" });
  const body = [answers.node, weights.node, controls(view, () => reading), said, odds.node];
  view.frame.append(...typing, ...body, other.node);
  let reading = null;

  function read() {
    reading = readText(view.get("text"), reader);
    answers.read(reading);
    weights.read(reading);
    show();
  }

  function show() {
    const trial = trialOf(view, reading, reader);
    view.publish("result", trial ? resultOf(trial, reading, reader) : {});
    answers.show(trial);
    if (trial) weights.show(trial);
    odds.show(trial);
    other.show(reading);
    said.textContent = trial ? describeChange(trial, reading, reader) : unread(reading, reader);
  }

  view.follow(["text"], read);
  view.follow(CHANGED, show);
  read();
  return () => view.end();
}

function unread({ given }, reader) {
  return refusal(given, reader.longest) || "The model wrote nothing.";
}

/** A character is clicked: it gets all the weight, is hidden or swapped, or is put back. */
function press(view, j) {
  const [kind, places] = [view.get("change"), view.get("places")];
  if (kind in TOOLS && kind !== "all") {
    const others = places.filter((k) => k !== j);
    view.share({ places: places.length > others.length ? others : [...places, j].sort(upwards) });
  } else if (kind === "all" && String(places) === String(j)) view.share(AS_IT_WAS);
  else view.share({ places: [j], change: "all" });
}

const upwards = (a, b) => a - b;

// ---- the answer as it was, from which a step is chosen, and the answer with the change

function answerView(view, reader) {
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
  const anew = view.renewed();
  return {
    node,
    read({ whole }) {
      node.hidden = !whole.length;
      digits.replaceChildren(...whole.map(digitOf));
      chooseAmong(anew(), digits);
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

function chooseAmong(view, line) {
  const choose = (step) => {
    line.children[step].focus();
    view.share({ step });
  };
  view.listen(line, "click", (event) => {
    const step = [...line.children].indexOf(event.target);
    if (step >= 0) choose(step);
  });
  view.listen(line, "keydown", (event) => {
    const at = [...line.children].indexOf(event.target);
    const next = steppedTo(event, at, line.children.length);
    if (next === null) return;
    event.preventDefault();
    choose(next);
  });
}

// ---- what is done to the step

function controls(view, reading) {
  const tool = (name) => () => view.share({ change: view.get("change") === name ? "none" : name });
  const tools = Object.entries(TOOLS).map(([name, text]) =>
    changeButton(view, name, text, tool(name)),
  );
  const whole = Object.entries(WHOLE).map(([name, text]) =>
    changeButton(view, name, text, name === "shuffled" ? () => shuffleAgain(view) : tool(name)),
  );
  const others = view.button("All others instead", () => chooseOthers(view, reading()));
  const back = view.button("Undo the change", () => view.share(AS_IT_WAS));
  const show = () => {
    const isTool = view.get("change") in TOOLS && view.get("places").length > 0;
    others.setAttribute("aria-disabled", !isTool);
    back.setAttribute("aria-disabled", view.get("change") === "none");
  };
  show();
  view.follow(["change", "places"], show);
  const group = { role: "group", "aria-label": "What to do to a character" };
  return create(
    "div.attn-bar",
    create("span.attn-switch", group, ...tools),
    others,
    ...whole,
    back,
    resetFor(view, ["text", ...CHANGED]), // the text first: it redraws everything
  );
}

function changeButton(view, name, text, pressed) {
  const button = view.button(text, pressed);
  view.keepShowing("change", () => {
    button.setAttribute("aria-pressed", view.get("change") === name);
  });
  return button;
}

function shuffleAgain(view) {
  const again = view.get("change") === "shuffled" ? 1 : 0;
  view.share({ shuffle: view.get("shuffle") + again, change: "shuffled" });
}

/** Choose all characters but the chosen ones: was the answer read elsewhere? */
function chooseOthers(view, { given }) {
  const places = view.get("places");
  if (!(view.get("change") in TOOLS) || !places.length) return;
  view.share({ places: given.characters.flatMap((_, j) => (places.includes(j) ? [] : [j])) });
}

// ---- the date that annotations are taken from

function otherBox(view, reader) {
  const input = createLine("input.attn-input");
  const label = create("label.attn-question.attn-typing", OTHER, input);
  const twin = create("bdi");
  const suggest = view.button("Take ", () => view.share({ other: twin.textContent }));
  suggest.append(twin);
  const said = createLive("p.attn-hint");
  const node = create("div.attn-other-date", label, said, suggest);
  view.keepShowing("other", () => {
    if (input.value !== view.get("other")) input.value = view.get("other");
  });
  view.listen(input, "input", () => view.share({ other: input.value }));
  return {
    node,
    show(reading) {
      node.hidden = !reading.whole.length;
      if (node.hidden) return;
      const date = otherDate(reading, view.get("other"), reader);
      twin.textContent = date.suggested;
      suggest.hidden = !date.suggested || date.suggested === date.text;
      said.textContent = describeOther(date, reading.given);
    },
  };
}

const OTHER = "Another date, for “Swap”";

/** What the widget shows, as the rows of a table, for readers without JavaScript. */
export function table({ model }) {
  const reader = textReader(model);
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
