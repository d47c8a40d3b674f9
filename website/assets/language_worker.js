// Runs a language model beside the page, so that the page stays alive while it computes.
//
// The page asks for one thing at a time: { does: "open", file }, { does: "load", address },
// { does: "read", text, changes }, { does: "measure", text } or { does: "write", count, temperature, top }. What
// it is told has a `kind`: "progress", then "opened", "read", "measured" or "wrote"; or "failed", with a sentence. { does: "stop" } ends
// what is under way before its next portion. A module here; the build makes it one classic script.
import { softmax } from "../../attn_course/views/widgets/shared/common.js";
import { Unreadable } from "../../attn_course/views/widgets/shared/gguf.js";
import {
  emptyCache,
  exchanged,
  forward,
  hidden,
  logits,
  openModel,
  silenced,
  together,
  unkeyed,
} from "../../attn_course/views/widgets/shared/language_model.js";
import { drawn, sharesOf } from "../../attn_course/views/widgets/shared/weighing.js";

const LONGEST = 200; // symbols that are read here: a tenth of a second each, where nothing is wide
const MAPPED = 40; // symbols of which the weights are handed out
const PORTION = 8; // symbols read at once
const LIKELIEST = 5;
const PIECE = 2 ** 18; // bytes of a file at once
const PART = 2 ** 23; // bytes of a file on its way that are kept together

let model = null;
let plain = null; // the last text as it was read without a change
let last = null; // the last one of all, which may be written on
let isStopped = false;

const tell = (kind, told = {}, handedOver = []) => postMessage({ kind, ...told }, handedOver);
const progress = (done, whole) => tell("progress", { done, whole });

const DOES = { open, load, read, measure, write };

addEventListener("message", async ({ data: { does, ...asked } }) => {
  isStopped = does === "stop";
  if (isStopped) return;
  try {
    await DOES[does](asked);
  } catch (error) {
    tell("failed", { words: error instanceof Unreadable ? error.message : String(error) });
  }
});

// ---- opening

async function open({ file }, told = {}) {
  const done = (bytes) => progress(bytes, file.size);
  model = await openModel(inPieces(file), file.size, done, await wide());
  const { blocks, heads, part } = model;
  tell("opened", { blocks: blocks.length, heads, part, ...told });
}

/** packed.wat as the build has assembled it; nothing where it cannot run, or a policy forbids it. */
async function wide() {
  try {
    const bytes = Uint8Array.from(atob(globalThis.PACKED), (letter) => letter.charCodeAt(0));
    return await WebAssembly.compile(bytes);
  } catch {
    return null;
  }
}

/** From the site, or what is missing of it. The page gets the file to keep when it is here as a whole
 *  and is a model; or what arrived before the connection broke. */
async function load({ address, bytes, begun }) {
  const asked = begun && { Range: `bytes=${begun.file.size}-`, "If-Range": begun.tag };
  const response = await arriving(fetch(address, { headers: asked ?? {} }));
  if (!response.ok) throw new Unreadable(BROKEN);
  const pieces = response.body.getReader();
  const parts = response.status === 206 ? [begun.file] : [];
  const size = () => parts.reduce((sum, part) => sum + part.size, 0);
  while (!pieces.hasEnded) {
    const before = size();
    parts.push(await arrived(pieces, (count) => progress(before + count, bytes)));
  }
  const [file, tag] = [new Blob(parts), response.headers.get("ETag")];
  if (size() >= bytes) await open({ file }, { file });
  else if (/^"/.test(tag) && size())
    tell("failed", { words: halfway(size(), bytes), begun: { file, tag } });
  else throw new Unreadable(BROKEN);
}

/** The next part of what arrives, out of the memory of this script. */
function arrived(pieces, progress) {
  let count = 0;
  const pull = async (way) => {
    const { value, done } = await pieces.read().catch(() => ({ done: true }));
    pieces.hasEnded = done;
    if (value) way.enqueue(value);
    count += value?.length ?? 0;
    progress(count);
    if (done || count > PART) way.close();
  };
  return new Response(new ReadableStream({ pull })).blob();
}

const halfway = (done, whole) =>
  `The connection broke after ${Math.floor(done / 1e6)} of ${Math.floor(whole / 1e6)} MB. Load again, and only the rest has to come.`;
const BROKEN =
  "The file did not arrive as a whole. Is there a network, and does nothing block the file? Please try again.";
const BLOCKED = "The policy of the site that shows this page blocks the file.";
let isBlocked = false;
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  isBlocked ||= effectiveDirective === "connect-src";
});

async function arriving(promise) {
  try {
    return await promise;
  } catch {
    await new Promise((go) => setTimeout(go, 300)); // in Firefox, the event comes later
    throw new Unreadable(isBlocked ? BLOCKED : BROKEN);
  }
}

/** The pieces of a file, each in the buffer of the last, where a browser can do that: it frees none soon. */
async function* inPieces(file) {
  const reader = readerOf(file);
  for (let room = new Uint8Array(PIECE); ; ) {
    const { value, done } = await reader.read(room);
    if (done) return;
    yield value;
    room = new Uint8Array(value.buffer);
  }
}

function readerOf(file) {
  try {
    return file.stream().getReader({ mode: "byob" });
  } catch {
    return file.stream().getReader();
  }
}

// ---- reading

async function read({ text, changes: asked = {} }) {
  const symbols = symbolsOf(text);
  if (plain?.text !== text) plain = { text, ...(await run(symbols)) };
  const changes = await changesOf(symbols, asked);
  last = changes ? await run(symbols, changes) : plain;
  told("read", symbols, { isChanged: Boolean(changes) });
}

/** Say what was read last; a copy of the weights is handed over. */
function told(kind, symbols, more) {
  const [weights, next] = [last.weights.slice(), nextOf(plain, last)];
  const pieces = model.text.pieces(symbols);
  tell(kind, { pieces, weights, mapped: mapped(symbols), next, ...more }, [weights.buffer]);
}

/** Silence one head after another: the points of its probability that the likeliest symbol loses. */
async function measure({ text }) {
  const symbols = symbolsOf(text);
  if (plain?.text !== text) plain = { text, ...(await run(symbols)) };
  last = plain;
  const was = softmax(plain.logits);
  const [best] = likeliest(was);
  const [effects, count] = [[], model.blocks.length * model.heads];
  while (effects.length < count) {
    const head = [Math.floor(effects.length / model.heads), effects.length % model.heads];
    const one = await run(symbols, silenced(model, [head]), () => progress(effects.length, count));
    effects.push(100 * (was[best] - softmax(one.logits)[best]));
  }
  told("measured", symbols, { effects });
}

function symbolsOf(text) {
  const symbols = model.text.read(text);
  if (!symbols.length) throw new Unreadable("There must be a text to read.");
  if (symbols.length > LONGEST)
    throw new Unreadable(`That is ${symbols.length} symbols; this page reads ${LONGEST} at most.`);
  return symbols;
}

const mapped = (symbols) => Math.min(symbols.length, MAPPED);

/** Read all symbols, some at a time: the last vector, all weights, and the cache to go on from. */
async function run(symbols, changes = {}, note = progress) {
  const [cache, count, heads] = [emptyCache(model), mapped(symbols), model.heads];
  const weights = new Float32Array(model.blocks.length * heads * count * count);
  const keep = (block, i, head, row) => {
    if (i < count) weights.set(row, ((block * heads + head) * count + i) * count);
  };
  let vector = null;
  for (let start = 0; start < symbols.length; start += PORTION) {
    await breathe();
    const portion = symbols.slice(start, start + PORTION);
    vector = forward(model, portion, cache, together(changes, { weights: keep })).at(-1);
    note(start + portion.length, symbols.length);
  }
  return { cache, changes, weights, written: [], logits: logits(model, vector) };
}

/** Let a message come in, which may say to stop. */
async function breathe() {
  await new Promise((go) => setTimeout(go));
  if (isStopped) throw new Unreadable("Stopped.");
}

/** What a wall calls changes (changing.js), as the model takes them; null if there are none. */
async function changesOf(symbols, asked) {
  const { silenced: heads = [], exchange, hidden: away, unkeyed: head } = asked;
  for (const [block, number] of head ? [...heads, head] : heads) {
    if (!(block < model.blocks.length && number < model.heads))
      throw new Unreadable(`There is no head ${block}·${number}.`);
  }
  const all = [
    ...(heads.length ? [silenced(model, heads)] : []),
    ...(exchange ? [exchanged(exchange, await cacheOf(symbols, exchange))] : []),
    ...(away ? [hidden(away)] : []),
    ...(head ? [unkeyed(model, head)] : []),
  ];
  return all.length ? together(...all) : null;
}

async function cacheOf(symbols, { text, position, source = position }) {
  const others = symbolsOf(text);
  if (position >= symbols.length || source >= others.length)
    throw new Unreadable(
      `These texts have ${symbols.length} and ${others.length} symbols, counted from 0; there is no ${position} in the first or no ${source} in the second.`,
    );
  return (await run(others)).cache;
}

/** The likeliest symbols to follow before and after a change, with both probabilities. */
function nextOf(before, after) {
  const [was, is] = [before, after].map((one) => softmax(one.logits));
  const first = [likeliest(was), likeliest(is)].flat();
  const chosen = [...new Set(first)].sort((one, other) => is[other] - is[one]);
  const pieces = model.text.pieces(chosen);
  return chosen.map((symbol, k) => ({ piece: pieces[k], was: was[symbol], is: is[symbol] }));
}

function likeliest(scores) {
  const best = [];
  scores.forEach((score, symbol) => {
    if (best.length === LIKELIEST && score <= scores[best.at(-1)]) return;
    best.push(symbol);
    best.sort((one, other) => scores[other] - scores[one]).splice(LIKELIEST);
  });
  return best;
}

// ---- writing

/** Go on from the last text, with what was changed in it. */
async function write({ count, temperature = 0, top = 0 }) {
  const { cache, changes, written } = last;
  plain = null; // the cache grows
  let isLast = false;
  for (let n = 1; !isLast; n++) {
    const symbol = drawn(sharesOf(last.logits, temperature, top), Math.random());
    const isEnd = symbol === model.end || cache[0].keys.length === LONGEST;
    if (!isEnd) {
      last.logits = logits(model, forward(model, [symbol], cache, changes).at(-1));
      written.push(symbol);
    }
    await new Promise((go) => setTimeout(go)); // as in `breathe`, but what is written stays
    isLast = isEnd || isStopped || n >= count;
    progress(n, count);
    tell("wrote", { text: model.text.write(written), isLast, isEnd });
  }
}
