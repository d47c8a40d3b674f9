// From scores to weights, and how the weights respond: attn_course/weights.py for the page.

import { softmax } from "./common.js";

const HIDDEN = -Infinity;

/** Softmax, sparsemax or hard choice of the readable scores; null where nothing may be read. */
export function weigh(rule, scores, readable, temperature = 1) {
  if (!readable.some(Boolean)) return null;
  const kept = scores.map((score, j) => (readable[j] ? score / temperature : HIDDEN));
  return { softmax, sparsemax, hard: hardChoice }[rule](kept);
}

/** The nearest distribution: lower all scores until what is left above zero sums to one. */
export function sparsemax(scores) {
  const largest = Math.max(...scores);
  const moved = scores.map((score) => score - largest);
  let total = 0;
  let threshold = 0;
  [...moved]
    .sort((a, b) => b - a)
    .forEach((score, place) => {
      total += score;
      // this one still gets something: it is in, and the threshold moves
      if (1 + (place + 1) * score > total) threshold = (total - 1) / (place + 1);
    });
  return moved.map((score) => Math.max(score - threshold, 0));
}

export function hardChoice(scores) {
  const best = scores.indexOf(Math.max(...scores));
  return scores.map((_, j) => Number(j === best));
}

/** In nats, with 0 ln 0 = 0. */
export function entropy(weights) {
  return weights.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);
}

/** How weight j responds to each score: row j of the Jacobian. */
export function answersOf(rule, weights, j, temperature = 1) {
  const same = (k) => Number(j === k);
  if (rule === "softmax") {
    return weights.map((weight, k) => (weights[j] * (same(k) - weight)) / temperature);
  }
  const support = weights.filter((weight) => weight > 0).length;
  const shares = (k) => rule === "sparsemax" && weights[j] > 0 && weights[k] > 0;
  return weights.map((_, k) => (shares(k) ? (same(k) - 1 / support) / temperature : 0));
}

/** The probabilities from which the next token is drawn: softmax(logits / temperature) of the `top`
 *  likeliest tokens, or of all for 0. At temperature 0 the likeliest is certain. */
export function sharesOf(logits, temperature, top) {
  const least = top ? Float64Array.from(logits).sort().at(-top) : -Infinity;
  const readable = Array.from(logits, (logit) => !(logit < least)); // all, where `top` is too many
  return weigh(temperature ? "softmax" : "hard", logits, readable, temperature || 1);
}

/** The token that a random number from 0 to 1 falls on, when the probabilities lie in a row. */
export function drawn(shares, chance) {
  let end = 0;
  const token = shares.findIndex((share) => {
    end += share;
    return chance < end;
  });
  return token < 0 ? shares.indexOf(Math.max(...shares)) : token; // the end lies below 1 by rounding
}
