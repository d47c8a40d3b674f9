// A box to type in, samples to try, and what is said of what a model cannot read.

import { create, named, series } from "./common.js";

const AS_TYPED = {
  dir: "auto",
  autocomplete: "off",
  autocapitalize: "none",
  autocorrect: "off", // for Safari
  spellcheck: "false",
  translate: "no",
};

/** An input for one line of text that a model reads, or a text area for several: nothing corrects
 *  it, fills it in or translates it. */
export function createLine(tag) {
  return create(tag, { ...(tag.startsWith("input") && { type: "text" }), ...AS_TYPED });
}

/** The box for the trait `text`, with its label, and a row of buttons for the samples to try.
 *  Traits in `anew` are set along with the text, for what holds only for the text before. */
export function typingBox(view, name, anew = {}, tag = "input") {
  const input = createLine(`${tag}.attn-input`);
  const label = create("label.attn-question.attn-typing", name, input);
  view.keepShowing("text", () => {
    const text = view.get("text");
    if (input.value !== text) input.value = text; // otherwise the cursor would jump
  });
  view.listen(input, "input", () => view.share({ text: input.value, ...anew }));
  return [label, sampleRow(view, anew)];
}

function sampleRow(view, anew) {
  const buttons = view.get("samples").map((text) => {
    const button = view.button("", () => view.share({ text, ...anew }));
    button.append(create("bdi", text));
    return button;
  });
  const hint = create("span.attn-hint", "Try");
  const row = create("div.attn-bar.attn-samples", hint, ...buttons);
  row.hidden = !buttons.length;
  return row;
}

/** The numbers of the characters, and those that the model never saw. */
export function encodeText(text, { special, source }) {
  const numbers = new Map(source.map((symbol, place) => [symbol, place + special.first_symbol]));
  const characters = [...text.normalize("NFC").trim()];
  const ids = characters.map((character) => numbers.get(character) ?? special.unknown);
  const unknown = ids.flatMap((id, j) => (id === special.unknown ? [j] : []));
  return { characters, ids, unknown };
}

/** The number of the zero in the script that a decimal digit belongs to: ٠ for ٣. */
export function zeroOf(digit) {
  const row = digit.codePointAt(0) & ~15; // Unicode's tens begin at the first or the seventh place
  return /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
}

/** What becomes of symbols that were not in the training data. */
export function neverSaw(unknown) {
  if (!unknown.length) return "";
  const each = unknown.length > 1 ? "each of them" : "it";
  const which = series(unknown.map(named));
  return `It never saw ${which} in training and reads ${each} as “unknown”.`;
}
