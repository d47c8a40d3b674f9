// The score functions, as attn_course.alignment has them, for one query and some keys.
// A matrix is a list of rows; `parts` has the names of the module's state_dict.

import { softmax } from "./common.js";

function inner(one, two) {
  return one.reduce((sum, entry, place) => sum + entry * two[place], 0);
}

function times(matrix, vector) {
  return matrix.map((row) => inner(row, vector));
}

function tanh(vector) {
  return vector.map(Math.tanh);
}

/** A vector of length one in the same direction; one close to zero stays close to zero. */
function unit(vector) {
  const length = Math.max(Math.hypot(...vector), 1e-12);
  return vector.map((entry) => entry / length);
}

/** By the names of `attn_course.alignment.SCORES`; formulas are set by `setFormula`. */
export const SCORE_FUNCTIONS = {
  additive: {
    formula: "v · tanh(W_a s + U_a h)",
    scores(query, keys, parts) {
      const asked = times(parts["query_projection.weight"], query);
      return keys.map((key) => {
        const offered = times(parts["key_projection.weight"], key);
        return inner(parts["energy.weight"][0], tanh(asked.map((part, k) => part + offered[k])));
      });
    },
  },
  concat: {
    formula: "v · tanh(W [s ; h])",
    scores(query, keys, parts) {
      return keys.map((key) =>
        inner(
          parts["energy.weight"][0],
          tanh(times(parts["pair_projection.weight"], [...query, ...key])),
        ),
      );
    },
  },
  stacked: {
    formula: "v · tanh([W_1 s ; W_2 h])",
    scores(query, keys, parts) {
      const asked = tanh(times(parts["query_projection.weight"], query));
      return keys.map((key) =>
        inner(parts["energy.weight"][0], [
          ...asked,
          ...tanh(times(parts["key_projection.weight"], key)),
        ]),
      );
    },
  },
  general: {
    formula: "s · W h",
    scores(query, keys, parts) {
      return keys.map((key) => inner(query, times(parts["key_projection.weight"], key)));
    },
  },
  dot: {
    formula: "s · h",
    scores(query, keys) {
      return keys.map((key) => inner(query, key));
    },
  },
  scaled_dot: {
    formula: "s · h / √d",
    scores(query, keys) {
      return keys.map((key) => inner(query, key) / Math.sqrt(query.length));
    },
  },
  cosine: {
    formula: "cos(s, h)",
    scores(query, keys) {
      return keys.map((key) => inner(unit(query), unit(key)));
    },
  },
  location: {
    formula: "row j of W s",
    scores(query, keys, parts) {
      return times(parts["position_projection.weight"], query).slice(0, keys.length);
    },
  },
};

/** Scores, weights and context of one score function; `factor` multiplies the cosine alone. */
export function attendWith(name, query, keys, parts = {}, factor = 1, values = keys) {
  const sharp = name === "cosine" ? factor : 1;
  const scores = SCORE_FUNCTIONS[name].scores(query, keys, parts).map((score) => sharp * score);
  const weights = softmax(scores);
  const average = (k) => values.reduce((sum, value, j) => sum + weights[j] * value[k], 0);
  const context = values[0].map((_, k) => average(k));
  return { scores, weights, context };
}
