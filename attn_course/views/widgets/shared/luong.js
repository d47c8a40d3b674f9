// A trained model, as it runs in the page: Luong et al. 2015 with the general score and global
// attention. The names of the arrays are those of the model's state_dict in Python.

import {
  affine,
  concat,
  firstState,
  greedily,
  gru,
  readSource,
  rowOf,
  sumOver,
} from "./bahdanau.js";
import { softmax } from "./common.js";

/** One step: move on to s_i, look with it, average what is seen, and predict. */
function moveAndLook(arrays, { annotations, keys }, previousState, previousSymbol) {
  const previous = rowOf(arrays["decoder.embedding.weight"], previousSymbol);
  const state = gru(arrays, "decoder.rnn", "_l0", previous, previousState);
  // e_ij = s_i · W h_j
  const weights = softmax(keys.map((key) => sumOver(key, (entry, k) => entry * state[k])));
  const context = annotations[0].map((_, k) =>
    sumOver(annotations, (annotation, j) => weights[j] * annotation[k]),
  );
  // s~_i = tanh(W_c [c_i ; s_i]),  logits = W_o s~_i + b
  const attentional = affine(
    arrays["decoder.combine.weight"],
    concat(context, state),
    arrays["decoder.combine.bias"],
  ).map(Math.tanh);
  const logits = affine(
    arrays["decoder.readout.weight"],
    attentional,
    arrays["decoder.readout.bias"],
  );
  return { weights, state, logits };
}

/** Greedy: the likeliest symbol at each step, until the end or `longest` steps. */
export function moveFirst(arrays, special, ids, longest) {
  const source = readSource(arrays, ids);
  let state = firstState(arrays, source);
  const advance = (symbol) => {
    const now = moveAndLook(arrays, source, state, symbol);
    state = now.state;
    return now;
  };
  return greedily(special, advance, { longest });
}
