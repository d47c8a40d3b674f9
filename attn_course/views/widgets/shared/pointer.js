// The reader of typing mistakes, as it runs in the page: an LSTM a direction, additive attention
// whose weights are the answer, and the letter that belongs there. The names of the arrays are those
// of the state_dict of `attn_course.models.pointer.PointerReader`.

import { affine, concat, rowOf, sigmoid, sumOver } from "./bahdanau.js";
import { softmax } from "./common.js";

/** One step of a long short-term memory (Hochreiter & Schmidhuber 1997, with a forget gate):
 *    i, f, o = σ(..)   g = tanh(..)   c' = f * c + i * g   h' = o * tanh(c') */
function lstm(arrays, suffix, x, { h, c }) {
  const get = (name) => arrays[`rnn.${name}_l0${suffix}`];
  const fromInput = affine(get("weight_ih"), x, get("bias_ih"));
  const fromState = affine(get("weight_hh"), h, get("bias_hh"));
  const gates = fromInput.map((entry, k) => entry + fromState[k]);
  const size = h.length;
  const cell = c.map((before, k) => {
    const [i, f, g] = [gates[k], gates[size + k], gates[2 * size + k]];
    return sigmoid(f) * before + sigmoid(i) * Math.tanh(g);
  });
  return { h: cell.map((now, k) => sigmoid(gates[3 * size + k]) * Math.tanh(now)), c: cell };
}

function run(arrays, suffix, inputs) {
  const nothing = new Float64Array(arrays[`rnn.weight_hh_l0${suffix}`].columns);
  let state = { h: nothing, c: nothing };
  return inputs.map((x) => {
    state = lstm(arrays, suffix, x, state);
    return state.h;
  });
}

/** The weights and the probabilities of all symbols for one word. With `looked`, a position, all
 *  weight is put there, whatever the scores say. */
export function point(arrays, ids, looked = -1) {
  const embedded = ids.map((id) => rowOf(arrays["embedding.weight"], id));
  const forwards = run(arrays, "", embedded);
  const backwards = run(arrays, "_reverse", [...embedded].reverse()).reverse();
  const annotations = forwards.map((state, j) => concat(state, backwards[j]));
  // d = tanh(W_d [h→_n ; h←_1] + b)
  const all = concat(forwards.at(-1), backwards[0]);
  const query = affine(arrays["ask.weight"], all, arrays["ask.bias"]).map(Math.tanh);
  // e_j = v · tanh(W_a d + U_a h_j)
  const asked = affine(arrays["score.query_projection.weight"], query);
  const energy = arrays["score.energy.weight"].values;
  const scores = annotations.map((annotation) => {
    const key = affine(arrays["score.key_projection.weight"], annotation);
    return sumOver(key, (entry, k) => energy[k] * Math.tanh(asked[k] + entry));
  });
  const weights = softmax(scores);
  const used = looked < 0 ? weights : weights.map((_, j) => Number(j === looked));
  // c = Σ_j α_j h_j
  const context = annotations[0].map((_, k) =>
    sumOver(used, (share, j) => share * annotations[j][k]),
  );
  const given = concat(context, query);
  const logits = affine(arrays["readout.weight"], given, arrays["readout.bias"]);
  return { weights, logits };
}
