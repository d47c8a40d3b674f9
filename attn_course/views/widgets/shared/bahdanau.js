// A trained model, as it runs in the page: Bahdanau et al. 2015 in plain JavaScript, with the
// additive score or the dot product, an encoder of one or two directions, and, for comparison, with
// a fixed context. The names of the arrays are those of the model's state_dict in Python.

import { floats, softmax } from "./common.js";

/** The arrays, from the bytes and layout that `attn_course.packing` makes. */
export function unpack(bytes, layout) {
  const arrays = {};
  for (const { name, shape, bits, offset } of layout) {
    const [rows, columns = 1] = shape;
    arrays[name] = { values: new Float32Array(rows * columns), rows, columns };
    if (bits === 32) {
      arrays[name].values.set(floats(bytes, offset, rows * columns));
      continue;
    }
    const scales = floats(bytes, offset, rows);
    const whole = new Int8Array(bytes.buffer, bytes.byteOffset + offset + 4 * rows, rows * columns);
    whole.forEach((step, at) => {
      arrays[name].values[at] = scales[Math.floor(at / columns)] * step;
    });
  }
  return arrays;
}

/** The arrays of the model that a widget brings along. */
export function unpackModel(model, name = "weights") {
  return unpack(model.get(name), model.get("layout_of_weights"));
}

/** A trained model that reads characters, and its vocabularies, from the traits of a widget. */
export function textReader(model) {
  const [special, longest, heads] = ["special", "longest", "heads"].map((name) => model.get(name));
  const [source, target] = ["source", "target"].map((side) => [...model.get(`${side}_symbols`)]);
  return { arrays: unpackModel(model), special, longest, heads, source, target };
}

/** The characters that were written at some steps, without the end. */
export function charactersOf(steps, { special, target }) {
  const written = steps.filter(({ symbol }) => symbol !== special.end);
  return written.map(({ symbol }) => target[symbol - special.first_symbol] ?? "\ufffd");
}

/** Greedy: the likeliest symbol at each step, until the end or `longest` steps. `advance(symbol, n)`
 *  is the n-th step after that symbol, with its `logits`; `forced` symbols are taken instead of the
 *  likeliest at the first steps. */
export function greedily(special, advance, options = {}) {
  const { longest = 32, forced = [], first = special.start } = options;
  const steps = [];
  let symbol = first;
  while (steps.length < longest && symbol !== special.end) {
    const now = advance(symbol, steps.length);
    const probabilities = softmax(now.logits);
    symbol = forced[steps.length] ?? probabilities.indexOf(Math.max(...probabilities));
    steps.push({ ...now, probabilities, symbol });
  }
  return steps;
}

export const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** W x + b */
export function affine({ values, rows, columns }, x, bias) {
  const y = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = bias ? bias.values[row] : 0;
    const start = row * columns;
    for (let column = 0; column < columns; column++) sum += values[start + column] * x[column];
    y[row] = sum;
  }
  return y;
}

export function rowOf({ values, columns }, row) {
  return values.subarray(row * columns, (row + 1) * columns);
}

export function concat(first, second) {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** One step of a gated recurrent unit (Cho et al. 2014, as PyTorch writes it):
 *    r = σ(W_r x + U_r h)     z = σ(W_z x + U_z h)
 *    n = tanh(W_n x + r * U_n h)
 *    h' = (1 - z) * n + z * h */
export function gru(arrays, prefix, suffix, x, h) {
  const get = (name) => arrays[`${prefix}.${name}${suffix}`];
  const fromInput = affine(get("weight_ih"), x, get("bias_ih"));
  const fromState = affine(get("weight_hh"), h, get("bias_hh"));
  const size = h.length;
  return h.map((before, k) => {
    const r = sigmoid(fromInput[k] + fromState[k]);
    const z = sigmoid(fromInput[size + k] + fromState[size + k]);
    const n = Math.tanh(fromInput[2 * size + k] + r * fromState[2 * size + k]);
    return (1 - z) * n + z * before;
  });
}

/** The annotations h_j = [h→_j ; h←_j], or h→_j alone, and their keys, which no step changes. */
export function readSource(arrays, ids) {
  const embedded = ids.map((id) => rowOf(arrays["encoder.embedding.weight"], id));
  const run = (inputs, suffix) => {
    let state = new Float64Array(arrays[`encoder.rnn.weight_hh${suffix}`].columns);
    return inputs.map((x) => (state = gru(arrays, "encoder.rnn", suffix, x, state)));
  };
  const forwards = run(embedded, "_l0");
  if (!("encoder.rnn.weight_hh_l0_reverse" in arrays)) {
    return { annotations: forwards, keys: keysOf(arrays, forwards), readAll: forwards.at(-1) };
  }
  const backwards = run([...embedded].reverse(), "_l0_reverse").reverse();
  const annotations = forwards.map((state, j) => concat(state, backwards[j]));
  return { annotations, keys: keysOf(arrays, annotations), readAll: backwards[0] };
}

/** U_a h_j for the additive score; the dot product compares the annotations themselves. */
function keysOf(arrays, annotations) {
  const projection = arrays["decoder.score.key_projection.weight"];
  if (!projection) return annotations;
  const bias = arrays["decoder.score.key_projection.bias"];
  return annotations.map((annotation) => affine(projection, annotation, bias));
}

/** s_0 = tanh(W_s h←_1 + b), or tanh(W_s h→_n + b): from the state after the whole source. */
export function firstState(arrays, { readAll }) {
  return affine(arrays["decoder.start.weight"], readAll, arrays["decoder.start.bias"]).map(
    Math.tanh,
  );
}

/** e_ij = v · tanh(W_a s_{i-1} + U_a h_j), or e_ij = s_{i-1} · h_j */
function scoresOf(arrays, keys, state) {
  const projection = arrays["decoder.score.query_projection.weight"];
  if (!projection) return keys.map((key) => sumOver(key, (entry, k) => entry * state[k]));
  const query = affine(projection, state);
  const energy = arrays["decoder.score.energy.weight"].values;
  return keys.map((key) => sumOver(key, (entry, k) => energy[k] * Math.tanh(query[k] + entry)));
}

export function sumOver(entries, term) {
  let sum = 0;
  for (let k = 0; k < entries.length; k++) sum += term(entries[k], k);
  return sum;
}

/** α_i = softmax_j(e_i) over what may be read; a fixed context reads only the last position. */
function look(arrays, { keys, readable, fixed }, state) {
  if (fixed) return keys.map((_, j) => (j === keys.length - 1 ? 1 : 0));
  const scores = scoresOf(arrays, keys, state);
  return softmax(scores.map((score, j) => (readable[j] ? score : -Infinity)));
}

/** One step: look with s_{i-1}, average what is seen, move on to s_i, and predict.
 *  `change`, if given, makes of the weights those that are averaged with. */
export function step(arrays, source, previousState, previousSymbol, change) {
  const { annotations } = source;
  const looked = look(arrays, source, previousState);
  const weights = change ? change(looked) : looked;
  // c_i = Σ_j α_ij h_j
  const context = annotations[0].map((_, k) =>
    annotations.reduce((sum, annotation, j) => sum + weights[j] * annotation[k], 0),
  );
  // s_i = GRU([y_{i-1} ; c_i], s_{i-1}),  logits = W_o [s_i ; c_i] + b
  const previous = rowOf(arrays["decoder.embedding.weight"], previousSymbol);
  const state = gru(arrays, "decoder.cell", "", concat(previous, context), previousState);
  const logits = affine(
    arrays["decoder.readout.weight"],
    concat(state, context),
    arrays["decoder.readout.bias"],
  );
  return { weights, context, state, logits };
}

/** Greedy: the likeliest symbol at each step, until the end or `longest` steps.
 *  `special` has the numbers of `attn_course.symbols`. The annotations at the positions `hidden` get
 *  no weight. With `fixed`, every step is given the encoder's last state instead of looking. */
export function forward(arrays, special, sourceIds, options = {}) {
  const { hidden = [], fixed = false } = options;
  const readable = sourceIds.map((_, j) => !hidden.includes(j));
  const source = { ...readSource(arrays, sourceIds), readable, fixed };
  const begun = { state: firstState(arrays, source), symbol: special.start };
  return runOn(arrays, special, source, begun, options);
}

/** Greedy from a state and the symbol before it. `changed` is what differs at the first of these
 *  steps alone: another `source`, or a `change` of its weights. */
export function runOn(arrays, special, source, begun, { changed = {}, ...options } = {}) {
  let { state } = begun;
  const advance = (symbol, n) => {
    const { source: given = source, change } = n ? {} : changed;
    const now = step(arrays, given, state, symbol, change);
    state = now.state;
    return now;
  };
  return greedily(special, advance, { ...options, first: begun.symbol });
}
