// What was changed, and what follows from it, in words.

import { CLICK, named, percent, series } from "../shared/common.js";
import { neverSaw } from "../shared/typing.js";
import { symbolOf } from "./reading.js";

const INVITATION =
  `${CLICK} a character to put all the weight on it. Or first choose “Hide” or “Swap” for the ` +
  `characters that you ${CLICK.toLowerCase()}.`;

const PROMPTS = {
  all: `${CLICK} the character that is to get all the weight.`,
  hidden: `${CLICK} the characters that are to be hidden; the weights of the others are scaled up.`,
};

/** Why a text is not read; empty if it is. */
export function refusal({ ids }, longest) {
  if (!ids.length) return "Type a date as you write it at home: the answer follows as you type.";
  if (ids.length <= longest) return "";
  return `That is ${ids.length} characters, and the model reads at most ${longest}: please shorten it.`;
}

/** A character, with its place if it occurs more than once. */
export function placeName(characters, j) {
  const twice = characters.indexOf(characters[j]) !== characters.lastIndexOf(characters[j]);
  return `${named(characters[j])}${twice ? ` at ${j + 1}` : ""}`;
}

const SYMBOLS = new Map([
  ["-", "a hyphen"],
  ["", "the end"],
]);

export function symbolName(symbol) {
  return SYMBOLS.get(symbol) ?? symbol;
}

/** The whole sentence: what was changed, which symbol is written, and what the answer becomes. */
export function describeChange(trial, { given }, reader) {
  const seen = neverSaw([...new Set(given.unknown.map((j) => given.characters[j]))]);
  const words = trial.isChanged
    ? `${whatChanged(trial, given.characters)}: ${outcome(trial, reader)} ${theRest(trial)}`
    : waiting(trial);
  return [words, seen].filter(Boolean).join(" ");
}

function waiting({ kind, other }) {
  if (kind !== "swapped") return PROMPTS[kind] ?? INVITATION;
  if (!other.fits) return ""; // what does not fit is said beside its box
  return `${CLICK} the characters whose annotations are to come from ${named(other.text)}.`;
}

function whatChanged({ kind, places, other, after }, characters) {
  const which = series(places.map((j) => placeName(characters, j)));
  const every = places.length === characters.length;
  if (kind === "even") return "With the same weight everywhere";
  if (kind === "empty") return "Without any context";
  if (kind === "all")
    return places.length > 1 ? `All weight shared by ${which}` : `All weight on ${which}`;
  if (kind === "hidden") {
    return every ? "With everything hidden, which leaves no context" : `With ${which} hidden`;
  }
  if (kind === "swapped") {
    const what = places.length > 1 ? "annotations" : "annotation";
    return `With the ${what} of ${every ? "every place" : which} from ${named(other.text)}`;
  }
  const most = after.weights.indexOf(Math.max(...after.weights));
  return `With the weights shuffled, the largest of them now on ${placeName(characters, most)}`;
}

/** Which symbol is written at the step, and how likely it is. */
function outcome({ before, after }, reader) {
  const [was, now] = [before.symbol, after.symbol];
  const name = (number) => symbolName(symbolOf(number, reader));
  const [early, late] = [before, after].map(({ probabilities }) => percent(probabilities[was]));
  if (was !== now) {
    const share = percent(after.probabilities[now]);
    return `${name(now)} at ${share}, and ${name(was)} goes from ${early} to ${late}.`;
  }
  if (early === late) return `${name(was)} at ${late}, as before.`;
  return `still ${name(was)}, at ${late} instead of ${early}.`;
}

function theRest({ at, before, after, iso, whole }) {
  const [now, then] = [iso, whole].map((answer) => answer.join(""));
  if (now === then) return "The rest of the answer stays as it was.";
  const [rest, old] = [iso, whole].map((answer) => answer.slice(at + 1).join(""));
  if (rest === old && before.symbol !== after.symbol) {
    return `Left to run on, it leaves the rest unchanged: ${now}.`;
  }
  return `Left to run on, it writes ${now || "nothing more"}.`;
}

/** The note beside the box of the other date. */
export function describeOther({ text, characters, suggested, fits, unknown }, given) {
  const count = given.characters.length;
  const try_ = suggested && suggested !== text ? ` Try ${named(suggested)}.` : "";
  if (!characters.length) {
    return `No other date of ${count} characters suggests itself: type one to swap annotations.`;
  }
  if (!fits) {
    return (
      `${named(shortened(text))} has ${characters.length} characters and the date above ${count}: ` +
      `annotations can only be swapped between texts of the same length.${try_}`
    );
  }
  const strange = neverSaw([...new Set(unknown.map((j) => characters[j]))]);
  return `“Swap” takes annotations from ${named(text)}. ${strange}`.trim();
}

function shortened(text) {
  const characters = [...text];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : text;
}
