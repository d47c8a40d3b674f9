// Interventions: attn_course/interventions.py for the page. Each returns new weights, or a new
// source, and leaves what it was given as it is.

import { uniform } from "./uniform.js";

/** Weights without some places; what is left is scaled up to sum to 1 again, or is all zeros. */
export function hidden(weights, places) {
  const kept = weights.map((weight, j) => (places.includes(j) ? 0 : weight));
  const total = kept.reduce((sum, weight) => sum + weight, 0);
  return kept.map((weight) => (total > 0 ? weight / total : 0));
}

/** The same weights in another order: place j gets the weight of place order[j]. */
export function permuted(weights, order) {
  return weights.map((_, j) => weights[order[j]]);
}

/** An order of so many places, drawn at random; the same number always draws the same. */
export function drawnOrder(count, number) {
  const next = uniform(number);
  const drawn = Array.from({ length: count }, next);
  return drawn.map((_, j) => j).sort((a, b) => drawn[a] - drawn[b]);
}

/** All weight on these places, shared evenly among them. */
export function allOn(weights, places) {
  return weights.map((_, j) => (places.includes(j) ? 1 / places.length : 0));
}

/** The same weight everywhere. */
export function evened(weights) {
  return weights.map(() => 1 / weights.length);
}

/** No weight anywhere: an empty context. */
export function emptied(weights) {
  return weights.map(() => 0);
}

/** A source with the annotations and keys of some places taken from another of the same length. */
export function exchanged(source, other, places) {
  const { annotations, keys } = source;
  if (other.annotations.length !== annotations.length) {
    throw new RangeError(
      `both sources must have one length; got ${annotations.length} and ${other.annotations.length}`,
    );
  }
  const chosen = (own, others) => own.map((each, j) => (places.includes(j) ? others[j] : each));
  return {
    ...source,
    annotations: chosen(annotations, other.annotations),
    keys: chosen(keys, other.keys),
  };
}
