// A trained Transformer, as it runs in the page: Vaswani et al. 2017 with the norm before each part
// and rotary positions, in plain JavaScript. The names of the arrays are those of the state_dict of
// `attn_course.models.translator.transformer`.
//
// An attention is { looks, kept }. For each position that asks, a look holds by head its `queries`,
// its `weights` and what it has `found`; for each position that is asked, `kept` holds by head its
// `keys` and `values`.

import { affine, greedily, rowOf, sumOver } from "./bahdanau.js";
import { softmax } from "./common.js";

const BASE = 10000; // of the wavelengths of rotary positions
const LEAST = 1e-5; // what PyTorch adds to a variance

function linear(arrays, name, x) {
  return affine(arrays[`${name}.weight`], x, arrays[`${name}.bias`]);
}

/** (x - mean) / deviation, then a scale and a shift for each entry (Ba et al. 2016). */
export function layerNorm(arrays, name, x) {
  const [scale, shift] = ["weight", "bias"].map((part) => arrays[`${name}.${part}`].values);
  const mean = sumOver(x, (entry) => entry) / x.length;
  const variance = sumOver(x, (entry) => (entry - mean) ** 2) / x.length;
  const deviation = Math.sqrt(variance + LEAST);
  return x.map((entry, k) => ((entry - mean) / deviation) * scale[k] + shift[k]);
}

/** Turn each pair of entries by an angle that grows with the position (Su et al. 2021). */
export function rotate(x, position) {
  const turned = new Float64Array(x.length);
  for (let k = 0; k < x.length; k += 2) {
    const angle = position * BASE ** (-k / x.length);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    turned[k] = x[k] * cos - x[k + 1] * sin;
    turned[k + 1] = x[k] * sin + x[k + 1] * cos;
  }
  return turned;
}

/** The heads of a vector are consecutive slices of it. */
function split(x, heads) {
  const size = x.length / heads;
  return Array.from({ length: heads }, (_, head) => x.subarray(head * size, (head + 1) * size));
}

/** The vectors of each head, turned by the position if there is one. */
function project({ arrays, heads }, name, x, position) {
  const parts = split(linear(arrays, name, x), heads);
  return position === undefined ? parts : parts.map((part) => rotate(part, position));
}

function offer(given, name, x, position) {
  return {
    keys: project(given, `${name}.key_projection`, x, position),
    values: project(given, `${name}.value_projection`, x), // which are never turned
  };
}

/** α = softmax_j(q · k_j / √d) and Σ_j α_j v_j, in each head. */
function lookByHead(given, name, x, kept, position) {
  const queries = project(given, `${name}.query_projection`, x, position);
  const root = Math.sqrt(queries[0].length);
  const weights = queries.map((query, head) =>
    softmax(kept.map(({ keys }) => sumOver(query, (entry, k) => entry * keys[head][k]) / root)),
  );
  const found = weights.map((row, head) => {
    const sum = new Float64Array(queries[head].length);
    kept.forEach(({ values }, j) => {
      for (let k = 0; k < sum.length; k++) sum[k] += row[j] * values[head][k];
    });
    return sum;
  });
  return { queries, weights, found };
}

/** x + W_o [found of all heads]; a head that is silent hands on zeros. */
function handOn(arrays, name, x, { found }, isSilent) {
  const size = found[0].length;
  const all = new Float64Array(found.length * size);
  found.forEach((part, head) => {
    if (!isSilent(head)) all.set(part, head * size);
  });
  const made = linear(arrays, `${name}.output_projection`, all);
  return x.map((entry, k) => entry + made[k]);
}

/** x + W_2 relu(W_1 norm(x)) */
function think(arrays, block, x) {
  const entered = layerNorm(arrays, `${block}.around_network.norm`, x);
  const hidden = linear(arrays, `${block}.network.0`, entered).map((entry) => Math.max(entry, 0));
  const made = linear(arrays, `${block}.network.2`, hidden);
  return x.map((entry, k) => entry + made[k]);
}

/** How many blocks the "encoder" or the "decoder" has. */
export function layersOf(arrays, side) {
  let layers = 0;
  while (`${side}.blocks.${layers}.inside.query_projection.weight` in arrays) layers++;
  return layers;
}

const embed = (arrays, side, id) =>
  Float64Array.from(rowOf(arrays[`${side}.embedding.weight`], id));

/** The annotations of a source, and the attention of each layer. */
function encode(given, ids, isSilent) {
  const { arrays } = given;
  let vectors = ids.map((id) => embed(arrays, "encoder", id));
  const layers = [];
  for (let layer = 0; layer < layersOf(arrays, "encoder"); layer++) {
    const block = `encoder.blocks.${layer}`;
    const entered = vectors.map((x) => layerNorm(arrays, `${block}.around_inside.norm`, x));
    const kept = entered.map((x, j) => offer(given, `${block}.inside`, x, j));
    const looks = entered.map((x, i) => lookByHead(given, `${block}.inside`, x, kept, i));
    const silent = (head) => isSilent("encoder", layer, head);
    vectors = vectors.map((x, i) => handOn(arrays, `${block}.inside`, x, looks[i], silent));
    vectors = vectors.map((x) => think(arrays, block, x));
    layers.push({ looks, kept });
  }
  return { layers, annotations: vectors.map((x) => layerNorm(arrays, "encoder.norm", x)) };
}

/** One step of the decoder, which adds its keys and values to those that earlier steps have kept.
 *  `own` and `cross` are the attentions of each layer so far: on what was written, on the source. */
function writeNext(given, own, cross, symbol, isSilent) {
  const { arrays } = given;
  let x = embed(arrays, "decoder", symbol);
  own.forEach(({ looks, kept }, layer) => {
    const block = `decoder.blocks.${layer}`;
    const entered = layerNorm(arrays, `${block}.around_inside.norm`, x);
    const position = kept.length;
    kept.push(offer(given, `${block}.inside`, entered, position));
    looks.push(lookByHead(given, `${block}.inside`, entered, kept, position));
    x = handOn(arrays, `${block}.inside`, x, looks.at(-1), (head) =>
      isSilent("decoder", layer, head),
    );
    const asking = layerNorm(arrays, `${block}.around_across.norm`, x);
    const read = lookByHead(given, `${block}.across`, asking, cross[layer].kept);
    cross[layer].looks.push(read);
    x = handOn(arrays, `${block}.across`, x, read, (head) => isSilent("cross", layer, head));
    x = think(arrays, block, x);
  });
  return linear(arrays, "decoder.readout", layerNorm(arrays, "decoder.norm", x));
}

/** Read a source and write greedily: the likeliest symbol at each step, until the end or `longest`
 *  steps. `given` is { arrays, heads, special }; `forced` symbols are taken instead of the likeliest
 *  at the first steps. `isSilent(kind, layer, head)` says which heads hand on nothing.
 *
 *  Gives the `steps`, each { logits, probabilities, symbol }, and the attentions of all layers:
 *  `encoder`, `decoder` (on what was written before) and `cross` (on the source). */
export function translate(given, ids, options = {}) {
  const { longest = 32, forced = [], isSilent = () => false } = options;
  const { arrays, special } = given;
  const { layers, annotations } = encode(given, ids, isSilent);
  const depth = Array.from({ length: layersOf(arrays, "decoder") }, (_, layer) => layer);
  const decoder = depth.map(() => ({ looks: [], kept: [] }));
  const cross = depth.map((layer) => ({
    looks: [],
    kept: annotations.map((x) => offer(given, `decoder.blocks.${layer}.across`, x)),
  }));
  const advance = (symbol) => ({ logits: writeNext(given, decoder, cross, symbol, isSilent) });
  const steps = greedily(special, advance, { longest, forced });
  return { steps, encoder: layers, decoder, cross };
}
