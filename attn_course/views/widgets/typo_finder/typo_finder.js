// Type a word with a mistake: the trained model finds it, here in the page.

import { unpackModel } from "../shared/bahdanau.js";
import { beginView, create, createLive, named, percent, shade, softmax } from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { point } from "../shared/pointer.js";
import { neverSaw, typingBox } from "../shared/typing.js";

const MOST = 6; // candidates that are shown

/** The trained model, its letters and its list of words, out of the traits. */
function finderOf(model) {
  const arrays = unpackModel(model);
  const { first_symbol: first, unknown } = model.get("special");
  const symbols = [...model.get("symbols")];
  const numbers = new Map(symbols.map((symbol, place) => [symbol, place + first]));
  return {
    symbols,
    words: model.get("words").split(" "),
    encode: (letters) => letters.map((letter) => numbers.get(letter) ?? unknown),
    run: (ids, looked) => {
      const { weights, logits } = point(arrays, ids, looked);
      return { weights, letters: softmax(logits.slice(first)) }; // padding is never written
    },
  };
}

/** What was typed, in the letters that the model knows; a word ends where a space begins. */
function lettersOf(text) {
  return [...text.normalize("NFC").trim().toLowerCase()];
}

/** Whether two words of one length differ in exactly one letter, and where; -1 if they do not. */
function onlyDifference(letters, word) {
  if (word.length !== letters.length) return -1;
  const places = letters.flatMap((letter, j) => (letter === word[j] ? [] : [j]));
  return places.length === 1 ? places[0] : -1;
}

/** What the model makes of the letters, and which words of the list it could have been. */
function find(letters, finder, looked) {
  const ids = finder.encode(letters);
  const { weights, letters: chances } = finder.run(ids, looked);
  const place = looked >= 0 ? looked : weights.indexOf(Math.max(...weights));
  const best = chances.indexOf(Math.max(...chances));
  const candidates = finder.words
    .map((word) => ({ word, at: onlyDifference(letters, word) }))
    .filter(({ at }) => at >= 0)
    .map(({ word, at }) => {
      const share = weights[at] * chances[finder.symbols.indexOf(word[at])];
      return { word, at, share };
    })
    .sort((a, b) => b.share - a.share || (a.word < b.word ? -1 : 1));
  const text = [...letters];
  text[place] = finder.symbols[best];
  return {
    weights,
    result: {
      text: text.join(""),
      place,
      sure: weights[place],
      letter: finder.symbols[best],
      letter_sure: chances[best],
      candidates,
    },
  };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "finder", "Where is the mistake?");
  const typing = typingBox(view, "A word with one wrong letter", { looked: -1 });
  const parts = layOut(view, typing);
  const finder = finderOf(view);

  function read() {
    const letters = lettersOf(view.get("text"));
    const refusal = refuse(letters, view.get("longest"));
    const looked = view.get("looked") < letters.length ? view.get("looked") : -1;
    const found = refusal ? null : find(letters, finder, looked);
    view.publish("result", found?.result ?? {});
    parts.said.textContent = refusal ?? inSentences(letters, found, looked, finder, view);
    showLetters(view, parts.letters, { letters, found, looked });
    parts.answer.replaceChildren(...(found ? answerOf(found.result) : []));
    parts.candidates.replaceChildren(...(found ? candidatesOf(found.result, letters) : []));
  }

  view.follow(["text", "looked"], read);
  read();
  return () => view.end();
}

/** A button for each letter. Buttons that exist are kept, so that they keep the focus. */
function showLetters(view, row, { letters, found, looked }) {
  const wanted = found ? letters.length : 0;
  while (row.children.length > wanted) row.lastChild.remove();
  while (row.children.length < wanted) row.append(letterButton(view, row.children.length));
  [...row.children].forEach((button, j) => {
    const [letter, weight] = [letters[j], found.weights[j]];
    const [shown, bar, note] = button.children;
    shown.textContent = letter;
    note.textContent = percent(weight);
    bar.style.setProperty("--attn-tone", `var(--attn-weight-${shade(weight)})`);
    button.classList.toggle("attn-found", j === found.result.place);
    button.setAttribute("aria-pressed", String(j === looked));
  });
}

/** Pressed, it makes the model look at its place; pressed again, it lets go. */
function letterButton(view, j) {
  const bar = create("span.attn-weight");
  const note = create("span.attn-hint");
  const button = create("button.attn-letter", { type: "button" }, create("bdi"), bar, note);
  view.listen(button, "click", () => {
    view.share({ looked: view.get("looked") === j ? -1 : j });
  });
  return button;
}

function layOut(view, typing) {
  const letters = create("div.attn-letters", {
    role: "group",
    "aria-label": "How much weight lies on each letter",
  });
  const answer = create("p.attn-answer");
  const said = createLive("p.attn-verdict");
  const candidates = create("p.attn-candidates");
  const bar = create("div.attn-bar", resetFor(view, ["text", "looked"]));
  view.frame.append(...typing, letters, answer, said, candidates, bar);
  return { letters, answer, said, candidates };
}

/** Why a text is not read, if it is not. */
function refuse(letters, longest) {
  if (!letters.length) return "Type a word: the answer follows as you type.";
  if (letters.some((letter) => /\s/u.test(letter)))
    return "That is more than one word, and the model reads one at a time.";
  if (letters.length === 1)
    return "A single letter is no word: nothing beside it says what was meant.";
  if (letters.length <= longest) return null;
  return `That is ${letters.length} letters, and the page reads at most ${longest}: please shorten it.`;
}

function inSentences(letters, { weights, result }, looked, finder, model) {
  const { place, sure, letter, letter_sure: letterSure } = result;
  const where = `place ${place + 1}, ${named(letters[place])}`;
  const words = [];
  if (looked < 0)
    words.push(
      `The model points at ${where}, with ${percent(sure)} of its weight, and would write`,
    );
  else
    words.push(
      `Made to look at ${where}, where it had put ${percent(weights[place])} of its weight, ` +
        "the model would write",
    );
  words.push(`${named(letter)} there (${percent(letterSure)}).`);
  if (letter === letters[place]) words.push("That letter stands there already.");
  if (finder.words.includes(letters.join("")))
    words.push(
      "What you typed is itself a word of the list; the model was never shown a word without a mistake.",
    );
  const unknown = letters.filter((letter) => !finder.symbols.includes(letter));
  words.push(neverSaw([...new Set(unknown)]), outOfLengths(letters.length, model.get("trained")));
  return words.filter(Boolean).join(" ");
}

function outOfLengths(length, [shortest, longest]) {
  if (length >= shortest && length <= longest) return "";
  return `It learnt from words of ${shortest} to ${longest} letters; this one has ${length}.`;
}

/** The word as the model would have it, with the new letter marked. */
function answerOf({ text, place }) {
  return [...text].map((letter, j) =>
    j === place ? create("mark.attn-mended", letter) : document.createTextNode(letter),
  );
}

/** Which words of the list are one letter away. */
function candidatesOf({ candidates, text }, letters) {
  if (!candidates.length)
    return [`No word of the list is one letter away from ${named(letters.join(""))}.`];
  const shown = candidates.slice(0, MOST).map(({ word, share }) => {
    const node = create("span.attn-candidate", create("b", word), ` ${percent(share)}`);
    node.classList.toggle("attn-chosen-word", word === text);
    return node;
  });
  const more = candidates.length - shown.length;
  const count = candidates.length === 1 ? "One word" : `${candidates.length} words`;
  const head = `${count} of the list differ${candidates.length === 1 ? "s" : ""} in one letter: `;
  return [
    head,
    ...shown.flatMap((node, n) => (n ? [", ", node] : [node])),
    more > 0 ? ` and ${more} more.` : ".",
  ];
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const finder = finderOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])];
  const rows = texts.map((text) => {
    const letters = lettersOf(text);
    if (refuse(letters, model.get("longest"))) return [text, "", ""];
    const { result } = find(letters, finder, -1);
    return [text, `${result.place + 1} (${percent(result.sure)})`, result.text];
  });
  return [["A word with a mistake", "Where the model sees it", "What it would write"], ...rows];
}

export default { render };
