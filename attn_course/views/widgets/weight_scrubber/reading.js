// How the trained model reads a text, and what it writes when one of its steps is changed.

import { charactersOf, firstState, readSource, runOn } from "../shared/bahdanau.js";
import {
  allOn,
  drawnOrder,
  emptied,
  evened,
  exchanged,
  hidden,
  permuted,
} from "../shared/interventions.js";
import { encodeText } from "../shared/typing.js";
import { twinOf } from "./twins.js";

const MOST_STEPS = 32;

/** A text, encoded and answered; `whole` is the answer, character by character. If the text cannot
 *  be read, there is no answer. */
export function readText(text, reader) {
  const given = encodeText(text, reader);
  const count = given.ids.length;
  if (!count || count > reader.longest) return { given, steps: [], whole: [] };
  const source = sourceOf(given.ids, reader);
  const begun = { state: firstState(reader.arrays, source), symbol: reader.special.start };
  const steps = runOn(reader.arrays, reader.special, source, begun, { longest: MOST_STEPS });
  return { given, source, begun, steps, whole: charactersOf(steps, reader) };
}

function sourceOf(ids, reader) {
  return { ...readSource(reader.arrays, ids), readable: ids.map(() => true) };
}

/** The numbers of the symbols whose probability is shown: the target's, and the end. */
export function shownSymbols({ special, target }) {
  return [...target.map((_, place) => place + special.first_symbol), special.end];
}

/** A symbol as it is shown; "" stands for the end. */
export function symbolOf(number, { special, target }) {
  return number === special.end ? "" : (target[number - special.first_symbol] ?? "\ufffd");
}

/** The date that annotations are taken from: its characters, and whether it has the right length.
 *  An empty `other` stands for a date that the page suggests. */
export function otherDate(reading, other, reader) {
  const { characters } = reading.given;
  const suggested = twinOf(characters.join(""));
  const text = other.trim() ? other : suggested;
  const given = encodeText(text, reader);
  const fits = given.ids.length === characters.length;
  return { ...given, text: given.characters.join(""), suggested, fits };
}

/** What is changed at the step: nothing, its weights, or what it may look at. */
function changeOf(kind, places, shuffle, other, reading, reader) {
  const count = reading.given.ids.length;
  if (kind === "even") return { change: evened };
  if (kind === "empty") return { change: emptied };
  if (kind === "shuffled") {
    return { change: (weights) => permuted(weights, drawnOrder(count, shuffle)) };
  }
  if (!places.length) return {};
  if (kind === "all") return { change: (weights) => allOn(weights, places) };
  if (kind === "hidden") return { change: (weights) => hidden(weights, places) };
  if (kind !== "swapped" || !other.fits) return {};
  return { source: exchanged(reading.source, sourceOf(other.ids, reader), places) };
}

/** One step as it was, as it is with the change, and what is written when the model runs on. */
export function tryChange(reading, { step, change: kind, places, shuffle, other }, reader) {
  const { source, begun, steps, whole, given } = reading;
  const at = Math.min(step, whole.length - 1);
  const chosen = places.filter((j) => j < given.ids.length);
  const date = otherDate(reading, other, reader);
  const changed = changeOf(kind, chosen, shuffle, date, reading, reader);
  const options = { longest: MOST_STEPS - at, changed };
  const from = at ? steps[at - 1] : begun;
  const run = runOn(reader.arrays, reader.special, source, from, options);
  const iso = [...whole.slice(0, at), ...charactersOf(run, reader)];
  return {
    at,
    kind,
    places: chosen,
    other: date,
    isChanged: "change" in changed || "source" in changed,
    before: steps[at],
    after: run[0],
    iso,
    whole,
  };
}

/** The result that is sent to Python. */
export function resultOf({ at, before, after, iso, whole }, { given }, reader) {
  const was = before.symbol;
  return {
    step: at,
    iso: iso.join(""),
    whole: whole.join(""),
    symbol: symbolOf(after.symbol, reader),
    was: symbolOf(was, reader),
    probability: after.probabilities[was],
    before: before.probabilities[was],
    weights: [...after.weights],
    unknown: [...new Set(given.unknown.map((j) => given.characters[j]))],
  };
}
