// What a trained Transformer reads in a text, and what each of its heads looks at meanwhile.
// A head is [kind, layer, number]; the kinds are "encoder", "decoder" and "cross".

import { charactersOf, textReader } from "../shared/bahdanau.js";
import { translate } from "../shared/transformer.js";
import { encodeText } from "../shared/typing.js";

export const START = "▷"; // what stands for the start among the characters that were written

export const sameHead = (one, other) => String(one) === String(other);

/** The trained model and its vocabularies, from the traits. */
export function transformerOf(model) {
  const reader = textReader(model);
  const run = (ids, silenced) => {
    const names = new Set(silenced.map(String));
    return translate(reader, ids, { isSilent: (...head) => names.has(String(head)) });
  };
  return { ...reader, run };
}

/** What a run wrote, how likely the model found it, and all of its attentions. */
function asReading(run, reader) {
  const { steps } = run;
  return {
    ...run,
    iso: charactersOf(steps, reader),
    probability: steps.reduce((all, { probabilities, symbol }) => all * probabilities[symbol], 1),
  };
}

/** The reading of the text with some heads silenced, and that of all heads together. */
export function readText(model, transformer) {
  const given = cutTo(model.get("longest"), encodeText(model.get("text"), transformer));
  if (!given.length) return { given, result: {} };
  const silenced = model.get("silenced");
  const read = (silent) => asReading(transformer.run(given.ids, silent), transformer);
  const whole = read([]);
  const reading = silenced.length ? read(silenced) : whole;
  const longer = reading.iso.length > whole.iso.length ? reading.iso : whole.iso;
  const result = {
    iso: reading.iso.join(""),
    probability: reading.probability,
    whole: whole.iso.join(""),
    changed: [...longer.keys()].filter((i) => reading.iso[i] !== whole.iso[i]),
    unknown: [...new Set(given.unknown.map((j) => given.characters[j]))],
  };
  return { given, reading, whole, result };
}

/** The beginning of a text that is too long, and how long all of it is. */
function cutTo(longest, { characters, ids, unknown }) {
  return {
    length: ids.length,
    characters: characters.slice(0, longest),
    ids: ids.slice(0, longest),
    unknown: unknown.filter((j) => j < longest),
  };
}

/** What asks and what is asked in a head: the characters, the weights, and the vectors of each. */
export function insideHead({ given, reading }, [kind, layer, head]) {
  const { looks, kept } = reading[kind][layer];
  const target = kind === "encoder" ? given.characters : reading.iso;
  const source = kind === "decoder" ? [START, ...reading.iso].slice(0, -1) : given.characters;
  const asking = looks.slice(0, target.length); // not the step that writes the end
  return {
    source: target.length ? source : [],
    target,
    weights: asking.map(({ weights }) => source.map((_, j) => weights[head][j] ?? 0)),
    queries: asking.map(({ queries }) => queries[head]),
    found: asking.map(({ found }) => found[head]),
    keys: kept.map(({ keys }) => keys[head]),
    values: kept.map(({ values }) => values[head]),
  };
}

/** The places of one pair: that which is selected or, without one, the strongest link of all. */
export function pairOf({ weights }, { side, index, other }) {
  const strongest = (shares) => shares.indexOf(Math.max(...shares));
  if (side === "target") return [index, other ?? strongest(weights[index])];
  if (side === "source") return [strongest(weights.map((row) => row[index])), index];
  const rest = weights.length > 1 ? 1 : 0; // the first of the answer can ask only the start
  const i = rest + strongest(weights.slice(rest).map((row) => Math.max(...row)));
  return [i, strongest(weights[i])];
}

// ---- all heads, and their names

const ASKS = {
  encoder: ["Encoder", "the source asks itself", ""],
  decoder: ["Decoder", "the answer asks itself", " on itself"],
  cross: ["Decoder", "the answer asks the source", " on the source"],
};

/** All heads in groups, each with its name: those of one layer and kind. */
export function groupsOf(model) {
  const [layers, count] = [model.get("layers"), model.get("heads")];
  return Object.entries(ASKS).flatMap(([kind, [, what]]) =>
    Array.from({ length: layers[kind] }, (_, layer) => ({
      name: `${layerName(kind, layer, layers)}: ${what}`,
      heads: Array.from({ length: count }, (_, head) => [kind, layer, head]),
    })),
  );
}

/** "Encoder, layer 2" */
function layerName(kind, layer, layers) {
  return `${ASKS[kind][0]}${layers[kind] > 1 ? `, layer ${layer + 1}` : ""}`;
}

/** "Encoder, layer 2, head 3" */
export function headName([kind, layer, head], layers) {
  return `${layerName(kind, layer, layers)}${ASKS[kind][2]}, head ${head + 1}`;
}
