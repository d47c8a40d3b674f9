// What a reader changes inside the model, and what the model then says: out of what is stored with a
// sentence, or from a model in the page, which follows `changes` and sets `answer`.
//
//   changes  { silenced: [[block, head], ..], exchange: { text, source, position, part, from },
//              hidden: { position, from }, unkeyed: [block, head] }, each only if there is one

import { chosenSentence } from "./reading.js";

export const PARTS = ["keys", "values", "both"];

export const runOf = (model) => model.get("runs")[chosenSentence(model).name];

export function textOf(model) {
  const { text, pieces } = chosenSentence(model);
  return text ?? pieces.join("");
}

/** What an answer belongs to: one text with one set of changes. */
export function keyOf(model) {
  const { silenced = [], ...others } = model.get("changes");
  const heads = silenced.map(String).sort();
  return JSON.stringify([textOf(model), heads, Object.entries(others).sort()]);
}

/** Whether heads can be clicked: something answers. */
export function isOperable(model) {
  const { name } = chosenSentence(model);
  const isTried = model.get("experiments").some(({ sentence }) => sentence === name);
  return Boolean(runOf(model) || isTried || model.get("answer").key);
}

export const isSilent = (model, [block, head]) =>
  (model.get("changes").silenced ?? []).some(([b, h]) => b === block && h === head);

/** The changes with one head silenced, or heard again. */
export function toggled(model, head) {
  const silenced = model.get("changes").silenced ?? [];
  const others = silenced.filter(([b, h]) => b !== head[0] || h !== head[1]);
  return changed(model, { silenced: isSilent(model, head) ? others : [...silenced, head] });
}

/** The changes with some of them set anew; what is empty goes. */
export function changed(model, news) {
  const all = Object.entries({ ...model.get("changes"), ...news });
  return { changes: Object.fromEntries(all.filter(([, value]) => value && value.length !== 0)) };
}

/** What follows, as it was and as it is now: { tokens, was, now }; null if nobody has computed it. */
export async function answerOf(model) {
  const answer = model.get("answer");
  if (answer.key === keyOf(model)) return answer;
  return (await storedAnswer(model)) ?? experimentOf(model) ?? null;
}

/** The experiment that is on: whose sentence is read, with its changes. */
export function experimentOf(model) {
  const { name } = chosenSentence(model);
  const same = (changes) => JSON.stringify(changes) === JSON.stringify(model.get("changes"));
  return model.get("experiments").find((each) => each.sentence === name && same(each.changes));
}

async function storedAnswer(model) {
  const run = runOf(model);
  const row = run && rowOf(model, run);
  if (row === null || row === undefined) return null;
  const shares = await sharesOf(run);
  return { tokens: run.tokens, was: shares(0), now: shares(row) };
}

/** Which row of a stored run has the changes that are made; null if none. */
function rowOf(model, run) {
  const { silenced = [], exchange, ...others } = model.get("changes");
  const [blocks, heads] = [model.get("blocks"), model.get("heads")];
  if (Object.keys(others).length || silenced.length + Boolean(exchange) > 1) return null;
  if (exchange) {
    const place = run.places.indexOf(exchange.position);
    const isStored = exchange.text === run.other.join("") && exchange.source === exchange.position;
    if (!isStored || place < 0) return null;
    const way = PARTS.indexOf(exchange.part) * blocks + exchange.from;
    return 1 + blocks * heads + way * run.places.length + place;
  }
  return silenced.length ? 1 + silenced[0][0] * heads + silenced[0][1] : 0;
}

/** The rows of a run: the probabilities of its tokens. */
async function sharesOf({ shares, tokens }) {
  const view = await shares;
  const one = (at) => view.getUint16(2 * at, true) / 65_535;
  return (row) => tokens.map((_, k) => one(row * tokens.length + k));
}

/** How much the answer loses without each head, in points of its probability. */
export async function effectsOf(model) {
  const run = runOf(model);
  if (!run) return chosenSentence(model).effects ?? null;
  const shares = await sharesOf(run);
  const count = model.get("blocks") * model.get("heads");
  return Array.from({ length: count }, (_, head) => 100 * (shares(0)[0] - shares(1 + head)[0]));
}
