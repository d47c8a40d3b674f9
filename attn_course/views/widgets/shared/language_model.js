// A language model of the Llama family, as attn_course/models/language_model.py has it.
//
//   x = embedding(y)     x <- x + W_o [c_1 ; .. ; c_H]     x <- x + network(norm(x))
//   p(y_{i+1}) = softmax(E norm(x_i))
//
// Vectors are Float32Arrays, one a position. Weights stay packed as they are in the file.
import { bytePairs } from "./byte_pairs.js";
import { readGguf, Unreadable } from "./gguf.js";
import { product, rowOf } from "./packed.js";

/** The model in a file that arrives as pieces. What cannot be one of these is `Unreadable`.
 *
 *  `wide` is packed.wat as a module; without one, or where it cannot run, all takes longer. */
export async function openModel(pieces, size, progress, wide) {
  return languageModel(await readGguf(pieces, size, progress, wide));
}

function languageModel({ facts, tensors }) {
  expectFact(facts, "general.architecture", "llama");
  expectFact(facts, "tokenizer.ggml.model", "gpt2");
  expectFact(facts, "tokenizer.ggml.pre", "smollm");
  const shape = shapeOf(facts);
  const left = new Map(tensors);
  const matrix = (name, rows, columns) => taken(left, `${name}.weight`, rows, columns);
  const gain = (name) => rowOf(matrix(name, 1, shape.size), 0);
  const embedding = matrix("token_embd", shape.symbols, shape.size);
  const model = {
    ...shape,
    end: facts.get("tokenizer.ggml.eos_token_id"),
    text: bytePairs(listOf(facts, "tokens"), listOf(facts, "merges")),
    embedding,
    blocks: Array.from({ length: shape.blocks }, (_, b) =>
      blockOf(`blk.${b}`, shape, matrix, gain),
    ),
    norm: gain("output_norm"),
    readout: left.has("output.weight") ? matrix("output", shape.symbols, shape.size) : embedding,
  };
  const [unknown] = left.keys();
  if (unknown) throw new Unreadable(`This file has ${unknown}, which this model does not know.`);
  return model;
}

function blockOf(name, { size, groups, part, hidden }, matrix, gain) {
  return {
    norm: gain(`${name}.attn_norm`),
    queries: matrix(`${name}.attn_q`, size, size),
    keys: matrix(`${name}.attn_k`, groups * part, size),
    values: matrix(`${name}.attn_v`, groups * part, size),
    output: matrix(`${name}.attn_output`, size, size),
    networkNorm: gain(`${name}.ffn_norm`),
    gate: matrix(`${name}.ffn_gate`, hidden, size),
    up: matrix(`${name}.ffn_up`, hidden, size),
    down: matrix(`${name}.ffn_down`, size, hidden),
  };
}

function taken(left, name, rows, columns) {
  const found = left.get(name);
  if (!found) throw new Unreadable(`This file misses the weights ${name}.`);
  if (found.rows !== rows || found.columns !== columns)
    throw new Unreadable(
      `${name} must have ${rows} times ${columns} weights; it has ${found.rows} times ${found.columns}.`,
    );
  left.delete(name);
  return found;
}

function shapeOf(facts) {
  const stretched = [...facts.keys()].find((key) => key.startsWith("llama.rope.scaling"));
  if (stretched)
    throw new Unreadable(
      `This model stretches its positions (${stretched}), which is not known here.`,
    );
  const fact = (key, otherwise) => {
    const value = facts.get(`llama.${key}`) ?? otherwise;
    if (value === undefined) throw new Unreadable(`This file must say llama.${key}.`);
    return value;
  };
  const [size, heads] = [fact("embedding_length"), fact("attention.head_count")];
  const groups = fact("attention.head_count_kv", heads);
  if (size % (2 * heads) || heads % groups)
    throw new Unreadable(`${size} entries, ${heads} heads and ${groups} groups do not divide.`);
  return {
    symbols: listOf(facts, "tokens").length,
    blocks: fact("block_count"),
    hidden: fact("feed_forward_length"),
    base: fact("rope.freq_base", 10_000),
    epsilon: fact("attention.layer_norm_rms_epsilon"),
    longest: fact("context_length"),
    size,
    heads,
    groups,
    part: size / heads,
  };
}

function listOf(facts, name) {
  const listed = facts.get(`tokenizer.ggml.${name}`);
  if (!Array.isArray(listed)) throw new Unreadable(`This file lists no ${name}.`);
  return listed;
}

function expectFact(facts, key, wanted) {
  const came = facts.get(key);
  if (came !== wanted)
    throw new Unreadable(`${key} must be “${wanted}”; this file says “${came ?? "nothing"}”.`);
}

// ---- the forward pass

/** The keys and values of all positions so far, by block and then by position. */
export function emptyCache({ blocks }) {
  return blocks.map(() => ({ keys: [], values: [] }));
}

const LEAVE = () => {};

/** Read symbols, which follow those in the cache. The last block's vector of each is returned.
 *
 *  Changes are called on the way, and may write into what they are given:
 *    forKeys(block, first, vectors)          what keys are made from: returns what takes its place
 *    keys(block, position, vector)           turned, its groups side by side
 *    values(block, position, vector)         its groups side by side
 *    weights(block, position, head, weights) over all positions up to this one
 *    found(block, position, vector)          what each head has averaged, side by side */
export function forward(model, symbols, cache, changes = {}) {
  refuse(model, symbols, cache);
  const at = { keys: LEAVE, values: LEAVE, weights: LEAVE, found: LEAVE, ...changes };
  const first = cache[0].keys.length;
  const turns = symbols.map((_, i) => turnOf(first + i, model));
  let vectors = symbols.map((symbol) => rowOf(model.embedding, symbol));
  for (let b = 0; b < model.blocks.length; b++) {
    const block = model.blocks[b];
    const found = attention(model, b, vectors, cache[b], turns, at);
    vectors = sums(vectors, product(block.output, found));
    vectors = sums(vectors, network(block, norms(vectors, block.networkNorm, model.epsilon)));
  }
  return vectors;
}

function refuse({ symbols: known, longest }, symbols, cache) {
  const end = cache[0].keys.length + symbols.length;
  if (!symbols.length) throw new Unreadable("There must be a symbol to read.");
  if (end > longest)
    throw new Unreadable(`The model reads ${longest} symbols at most, not ${end}.`);
  if (!symbols.every((symbol) => symbol >= 0 && symbol < known))
    throw new Unreadable(`Symbols are numbers from 0 to ${known - 1}.`);
}

/** A change that takes heads out, given as [block, head]: `instead` of what they find, or zeros. */
export function silenced({ part }, heads, instead = () => new Float32Array(part)) {
  const found = (block, _, vector) => {
    for (const [b, h] of heads) if (b === block) vector.set(instead(b, h), h * part);
  };
  return { found };
}

/** A change that gives a position the keys, the values or both that `source` has in another cache,
 *  from a block on. */
export function exchanged({ position, source = position, part = "values", from = 0 }, other) {
  const of = (name) => (block, at, vector) => {
    if (at === position && block >= from) vector.set(other[block][name][source]);
  };
  const names = part === "both" ? ["keys", "values"] : [part];
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

/** A change that hides a position from all later ones, from a block on; weights are scaled up again. */
export function hidden({ position, from = 0 }) {
  const weights = (block, at, _, row) => {
    if (block < from || at <= position) return;
    row[position] = 0;
    const rest = row.reduce((sum, weight) => sum + weight, 0); // 1 less the hidden one loses digits
    for (let j = 0; j < row.length; j++) row[j] = rest > 0 ? row[j] / rest : 0;
  };
  return { weights };
}

/** A change that takes what one head adds out of what all later blocks make their keys from. */
export function unkeyed({ blocks, part, size }, [block, head]) {
  const added = [];
  const found = (b, position, vector) => {
    if (b !== block) return;
    const own = new Float32Array(size);
    own.set(vector.subarray(head * part, (head + 1) * part), head * part);
    added[position] = product(blocks[block].output, [own])[0];
  };
  const forKeys = (b, first, vectors) =>
    b <= block
      ? vectors
      : vectors.map((vector, i) => vector.map((entry, k) => entry - added[first + i][k]));
  return { found, forKeys };
}

/** Several changes as one; at one place, the earlier ones come first. */
export function together(...changes) {
  const joined = {};
  for (const [name, change] of changes.flatMap(Object.entries)) {
    const before = joined[name];
    joined[name] = before ? inTurn(before, change) : change;
  }
  return joined;
}

const inTurn =
  (before, change) =>
  (...given) => {
    before(...given);
    return change(...given);
  };

/** The logit of every symbol to follow, from the last block's vector. */
export function logits({ readout, norm, epsilon }, vector) {
  return product(readout, norms([vector], norm, epsilon))[0];
}

/** What the heads of a block find, side by side: c_h = Σ_j softmax_j(q_h · k_gj / √part) v_gj */
function attention(model, b, vectors, kept, turns, at) {
  const [{ part, heads }, first] = [model, kept.keys.length];
  const { norm, queries, keys, values } = model.blocks[b];
  const entered = norms(vectors, norm, model.epsilon);
  const asked = product(queries, entered);
  const forKeys = at.forKeys ? norms(at.forKeys(b, first, vectors), norm, model.epsilon) : entered;
  product(keys, forKeys).forEach((key, i) => {
    turned(key, turns[i]);
    at.keys(b, first + i, key);
    kept.keys.push(key);
  });
  product(values, entered).forEach((value, i) => {
    at.values(b, first + i, value);
    kept.values.push(value);
  });
  return asked.map((query, i) => {
    const position = first + i;
    const found = new Float32Array(heads * part);
    turned(query, turns[i]);
    for (let h = 0; h < heads; h++) {
      const weights = look(query, kept.keys, position, h, model);
      at.weights(b, position, h, weights);
      average(found, weights, kept.values, h, model);
    }
    at.found(b, position, found);
    return found;
  });
}

/** The cosine and the sine of each pair's angle at a position. */
function turnOf(position, { part, base }) {
  const angles = Array.from({ length: part / 2 }, (_, k) => position * base ** ((-2 * k) / part));
  return angles.map((angle) => [Math.cos(angle), Math.sin(angle)]);
}

/** A vector with each pair of entries 2k, 2k + 1 of each head turned by its angle. */
function turned(vector, turn) {
  for (let k = 0; k < vector.length; k += 2) {
    const [cosine, sine] = turn[(k / 2) % turn.length];
    const [x, y] = [vector[k], vector[k + 1]];
    vector[k] = x * cosine - y * sine;
    vector[k + 1] = x * sine + y * cosine;
  }
  return vector;
}

/** Where the keys and values that head h shares with others begin. */
const groupOf = (h, { heads, groups, part }) => Math.floor((h * groups) / heads) * part;

/** The weights of head h over the positions up to its own. */
function look(query, keys, position, h, model) {
  const [from, group, { part }] = [h * model.part, groupOf(h, model), model];
  const weights = new Float32Array(position + 1);
  let [largest, total] = [-Infinity, 0];
  for (let j = 0; j <= position; j++) {
    let score = 0;
    const key = keys[j];
    for (let k = 0; k < part; k++) score += query[from + k] * key[group + k];
    weights[j] = score / Math.sqrt(part);
    largest = Math.max(largest, weights[j]);
  }
  for (let j = 0; j <= position; j++) {
    weights[j] = Math.exp(weights[j] - largest);
    total += weights[j];
  }
  for (let j = 0; j <= position; j++) weights[j] /= total;
  return weights;
}

/** Head h's place in `found` gets the average of the values. */
function average(found, weights, values, h, model) {
  const [to, group, { part }] = [h * model.part, groupOf(h, model), model];
  for (let j = 0; j < weights.length; j++) {
    const [weight, value] = [weights[j], values[j]];
    for (let k = 0; k < part; k++) found[to + k] += weight * value[group + k];
  }
}

/** W_2 (silu(W_g x) ∘ W_1 x), where silu(a) = a / (1 + e^-a) */
function network({ gate, up, down }, vectors) {
  const gates = product(gate, vectors);
  const passed = product(up, vectors).map((vector, i) =>
    vector.map((entry, k) => (entry * gates[i][k]) / (1 + Math.exp(-gates[i][k]))),
  );
  return product(down, passed);
}

/** gain ∘ x / √(Σ_k x_k² / size + ε) */
function norms(vectors, gain, epsilon) {
  return vectors.map((vector) => {
    const square = vector.reduce((sum, entry) => sum + entry * entry, 0) / vector.length;
    const root = Math.sqrt(square + epsilon);
    return vector.map((entry, k) => (gain[k] * entry) / root);
  });
}

function sums(some, others) {
  return some.map((vector, i) => vector.map((entry, k) => entry + others[i][k]));
}
