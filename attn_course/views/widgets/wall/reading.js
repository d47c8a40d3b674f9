// The maps of one sentence, and what is measured on them. A map is a triangle of bytes: row i has
// what target i reads of the sources 0 to i.

/** The sentence that is chosen: one of those given, or the reader's own. */
export function chosenSentence(model) {
  return model.get("sentences")[model.get("index")] ?? model.get("own");
}

/** A sentence with its weights at hand, once they are loaded. */
export function mapsOf({ name, pieces }, view, heads) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const size = (pieces.length * (pieces.length + 1)) / 2;
  const weight = (head, i, j) => bytes[head * size + (i * (i + 1)) / 2 + j] / 255;
  const count = bytes.length / size;
  return { name, pieces, weight, heads, count };
}

/** The weights of a head, of what comes later too: zeros. Heads are counted block by block. */
export function rowsOf({ pieces, weight }, head) {
  return pieces.map((_, i) => pieces.map((_, j) => (j > i ? 0 : weight(head, i, j))));
}

// ---- what may colour the wall

/** For each measure the links that count: target i, and the sources whose weights are added. */
const LINKS = {
  "weight on the first token": () => [0],
  "one back": (_, i) => [i - 1],
  "after the earlier occurrence": (pieces, i) =>
    pieces.flatMap((piece, j) => (piece === pieces[i] && j + 1 < i ? [j + 1] : [])),
};
const FROM = 2; // the second token cannot look one back without looking at the first
export const MEASURES = Object.keys(LINKS);

/** A measure of every head, the mean over its targets; none if the sentence has no such target. */
export function measured({ pieces, weight, count }, name) {
  const all = pieces.map((_, i) => [i, i < FROM ? [] : LINKS[name](pieces, i)]);
  const rows = all.filter(([, sources]) => sources.length);
  if (!rows.length) return null;
  return Array.from({ length: count }, (_, head) => {
    const one = ([i, sources]) => sources.reduce((sum, j) => sum + weight(head, i, j), 0);
    return rows.reduce((sum, row) => sum + one(row), 0) / rows.length;
  });
}

export const EFFECT = "effect on this answer"; // of silencing: stored, or measured in the page

/** The names of all that may colour the wall. */
export function coloursOf(model) {
  const { name, effects } = chosenSentence(model);
  const effect = model.get("runs")[name] || effects ? [EFFECT] : [];
  return [...MEASURES, ...effect, ...model.get("tables").map(({ name }) => name)];
}

/** What colours the wall: a number for each head, or none. Only shares have a fixed largest one. */
export function colouring(model, maps, name = model.get("colour")) {
  if (MEASURES.includes(name)) return { name, values: measured(maps, name), most: 1 };
  if (name === EFFECT) return effectOf(maps);
  const table = model.get("tables").find((one) => one.name === name);
  const { values = null, unit = "" } = table ?? {};
  return { name, values, unit, most: Math.max(...(values ?? []), Number.MIN_VALUE) };
}

function effectOf({ effects = null }) {
  const most = Math.max(...(effects ?? []), Number.MIN_VALUE);
  return { name: EFFECT, values: effects, unit: "points", most };
}

// ---- a sentence from elsewhere

const LONGEST = 40;

/** Show one more sentence in the wall of this model: its pieces, and all weights (block head target
 *  source) in one row, as a model in the page has found them. A piece may be half a letter, so the
 *  text itself goes along; so does what silencing each head does to the answer, if it was measured. */
export function show(model, pieces, weights, text = pieces.join(""), effects = null) {
  const kept = pieces.slice(0, LONGEST);
  const [given, count] = [pieces.length, model.get("blocks") * model.get("heads")];
  if (weights.length !== count * given * given) {
    throw new Error(
      `there must be ${count} maps of ${given} pieces; got ${weights.length} weights`,
    );
  }
  const turn = (model.get("own").count ?? 0) + 1;
  const bytes = triangles(weights, given, count);
  const own = { name: OWN, text, pieces: kept, weights: bytes, count: turn, effects };
  model.set({ own, selected: {}, index: model.get("sentences").length, problem: "" });
  model.save_changes();
}

/** Weights (head target source) as bytes, of the first LONGEST targets alone. */
export function triangles(weights, given, count) {
  const kept = Math.min(given, LONGEST);
  const bytes = new Uint8Array((count * kept * (kept + 1)) / 2);
  let at = 0;
  for (let head = 0; head < count; head++)
    for (let i = 0; i < kept; i++)
      for (let j = 0; j <= i; j++)
        bytes[at++] = Math.round(255 * weights[(head * given + i) * given + j]);
  return new DataView(bytes.buffer);
}

export const OWN = "Your own";
