// Guess first, then see what was measured in this run.

import { beginView, create, createButton, createLive, grouped } from "../shared/common.js";

function render({ model, el }) {
  const view = beginView({ model, el }, "prediction", "Prediction");
  const form = create("form"); // keeps the radio buttons of two views apart
  const choices = create("fieldset.attn-choices");
  const see = createButton("See what was measured", "attn-primary");
  see.type = "submit"; // so that Enter in the form presses it
  const again = createButton("Reset", "attn-quiet");
  const bar = create("div.attn-bar", see, again);
  const outcome = createLive("div.attn-outcome");
  form.append(choices, outcome, bar);
  view.frame.append(form);
  const newChoices = view.renewed();

  function drawChoices() {
    const part = newChoices();
    const legend = create("legend.attn-question", view.get("question"));
    const inputs = isScale(view) ? slider(part) : radios(part);
    choices.replaceChildren(legend, inputs);
  }

  function update() {
    const committed = view.get("committed");
    choices.disabled = committed;
    see.hidden = committed;
    const slide = choices.querySelector(".attn-slide");
    // a line with both numbers replaces the slider
    if (slide) slide.hidden = committed && view.get("measured") !== null;
    outcome.replaceChildren(...(committed ? outcomeOf(view) : []));
  }

  listenToForm(view, { form, choices, again, outcome });
  view.follow(["question", "options", "scale"], drawChoices);
  view.follow(["committed", "measured", "explanation", "guess"], update);
  drawChoices();
  update();
  return () => view.end();
}

/** Commit to a guess, if there is one, and take it back. */
function listenToForm(view, { form, choices, again, outcome }) {
  view.listen(form, "submit", (event) => {
    event.preventDefault();
    const guess = view.get("guess");
    if (guess === null) {
      const first = isScale(view) ? "Move the slider first" : "Choose an answer first";
      outcome.replaceChildren(create("p", `${first}: a guess is enough.`));
      choices.querySelector("input").focus();
      return;
    }
    view.share({ guess, committed: true });
    again.focus(); // the button that was pressed is gone
  });
  view.listen(again, "click", () => {
    view.share({ committed: false, guess: null });
    outcome.replaceChildren();
    choices.querySelector("input").focus();
  });
}

function isScale(model) {
  return "low" in model.get("scale");
}

/** Without binary rounding errors: three steps of 0.1 are 0.3. */
function middleOf({ low, high, step }) {
  const middle = low + step * Math.round((high - low) / step / 2);
  return Number(middle.toFixed(decimals(step)));
}

function decimals(step) {
  return (String(step).split(".")[1] ?? "").length;
}

/** A guess as fine as the scale, a measurement one digit finer. */
function withUnit(number, { unit, step }) {
  const digits = grouped(number, { most: decimals(step) + 1 });
  return unit ? `${digits}\u00a0${unit}` : digits;
}

/** Radio buttons: one of several answers. */
function radios(view) {
  const buttons = view.get("options").map((option) => {
    const button = create("input", { type: "radio", name: "guess", value: option });
    view.listen(button, "change", () => view.share({ guess: option }));
    return button;
  });
  const update = () => {
    for (const button of buttons) button.checked = button.value === view.get("guess");
  };
  update();
  view.follow(["guess"], update);
  const labels = buttons.map((button) =>
    create("label.attn-choice", button, create("span", button.value)),
  );
  return create("div.attn-options", ...labels);
}

/** A slider between its two ends, its value above it. */
function slider(view) {
  const scale = view.get("scale");
  const { low, high, step } = scale;
  const input = create("input.attn-slider", {
    type: "range",
    min: low,
    max: high,
    step,
    "aria-label": "Your guess",
  });
  const value = create("span.attn-value");
  const update = () => {
    const guess = view.get("guess");
    input.value = guess ?? middleOf(scale);
    input.classList.toggle("attn-untouched", guess === null);
    value.textContent = guess === null ? "?" : withUnit(guess, scale);
    value.style.setProperty("--attn-place", (input.value - low) / (high - low));
    input.setAttribute("aria-valuetext", guess === null ? "no guess yet" : value.textContent);
  };
  update();
  // readers who mean the middle press the slider where it is
  for (const type of ["input", "click"]) {
    view.listen(input, type, () => view.share({ guess: Number(input.value) }));
  }
  // a finger that only scrolls the page has made no guess
  let before = null;
  view.listen(input, "pointerdown", () => (before = view.get("guess")));
  view.listen(input, "pointercancel", () => view.share({ guess: before }));
  view.follow(["guess"], update);
  const end = (number) => create("span.attn-hint", withUnit(number, scale));
  return create("div.attn-slide", value, end(low), input, end(high));
}

/** The guess beside what was measured, once there is a measurement. */
function outcomeOf(model) {
  const measured = model.get("measured");
  if (measured === null) return [create("p", "Run the cells below to see the result.")];
  const compare = isScale(model) ? onOneLine : sideBySide;
  const explanation = model.get("explanation");
  return [
    ...compare(model.get("guess"), measured, model.get("scale")),
    ...(explanation ? [create("p", explanation)] : []),
  ];
}

function sideBySide(guess, measured) {
  const right = guess === measured;
  const result = (name, text, className) =>
    create(
      "div",
      { class: `attn-result ${className}` },
      create("span.attn-hint", name),
      create("strong", text),
    );
  return [
    create(
      "div.attn-results",
      result("Your guess", guess, right ? "attn-right" : "attn-wrong"),
      result("Measured", measured, "attn-measured"),
    ),
    create("p", right ? "It came out as you guessed." : "It came out differently."),
  ];
}

function onOneLine(guess, measured, scale) {
  const bottom = Math.min(scale.low, measured);
  const top = Math.max(scale.high, measured);
  const mark = (name, number, className) => {
    const text = `${name} ${withUnit(number, scale)}`;
    const node = create("div", { class: `attn-mark ${className}` }, create("span", text));
    node.style.setProperty("--attn-place", (number - bottom) / (top - bottom));
    return node;
  };
  const end = (number) => create("span.attn-hint", withUnit(number, scale));
  const line = create(
    "div.attn-number-line",
    mark("Your guess", guess, "attn-guessed"),
    mark("Measured", measured, "attn-measured"),
  );
  return [
    create("div.attn-slide", end(bottom), line, end(top)),
    create("p", inWords(guess, measured, scale)),
  ];
}

/** The line says the numbers. */
function inWords(guess, measured, { step }) {
  if (Math.abs(measured - guess) < step / 2) return "It came out as you guessed.";
  return `It came out ${measured > guess ? "above" : "below"} your guess.`;
}

/** What there is to choose from, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const scale = model.get("scale");
  const range = () => `from ${withUnit(scale.low, scale)} to ${withUnit(scale.high, scale)}`;
  const answers = isScale(model) ? [range()] : model.get("options");
  return [["Possible answers"], ...answers.map((each) => [each])];
}

/** What was measured: folded, since readers should guess first. */
export function answer({ model }) {
  const measured = model.get("measured");
  if (measured === null) return "";
  const result = isScale(model) ? withUnit(measured, model.get("scale")) : measured;
  return `${result}. ${model.get("explanation")}`.trim();
}

/** How it begins for readers who have guessed before. Guesses on a scale that get the same
 *  sentence, from the least to the greatest, begin alike, except for their place on the line. */
export function remembered({ model }) {
  const state = (guess) => ({ from: guess, to: guess, traits: { guess, committed: true } });
  if (!isScale(model)) return model.get("options").map(state);
  const { low, high, step } = model.get("scale");
  const [measured, states] = [model.get("measured"), new Map()];
  for (let n = 0; n <= Math.round((high - low) / step); n++) {
    const guess = Number((low + n * step).toFixed(decimals(step)));
    const said = measured === null ? "" : inWords(guess, measured, { step });
    if (!states.has(said)) states.set(said, state(guess));
    states.get(said).to = guess;
  }
  return [...states.values()];
}

export default { render };
