// A trained model as a file: GGUF, version 3, as llama.cpp and its tools write it.
//
// The file says what it holds, and then holds it: facts by name, a list of tensors, their bytes.
// It is read once from its beginning to its end, so it may still be on its way. Tensors keep the
// bits that they have in the file (see packed.js).
import { KINDS, placed, sizeOf } from "./packed.js";

/** What cannot be read, in a sentence for the reader. */
export class Unreadable extends Error {}

const ALIGNED = 32; // bytes, unless the file says otherwise
const MOST = 2 ** 31; // bytes of all tensors
const text = new TextDecoder();

/** The facts and the tensors of a file that arrives as pieces; `size` is in bytes, if known. */
export async function readGguf(pieces, size = Infinity, progress = () => {}, wide = null) {
  const from = new Incoming(pieces, size, progress);
  if (text.decode(await from.take(4)) !== "GGUF") throw new Unreadable("This is no GGUF file.");
  const version = await from.number("u32");
  if (version !== 3) throw new Unreadable(`This is GGUF ${version}; only version 3 is read.`);
  const [tensors, facts] = [await from.number("u64"), await from.number("u64")];
  const known = new Map();
  for (let i = 0; i < facts; i++) {
    const name = await from.text();
    known.set(name, await from.value(await from.number("u32")));
  }
  const listed = [];
  for (let i = 0; i < tensors; i++) listed.push(await from.described());
  return { facts: known, tensors: await tensorBytes(from, listed, known, wide) };
}

/** The tensors by name, each with its bytes, in the order in which they lie in the file. */
async function tensorBytes(from, listed, facts, wide) {
  const aligned = facts.get("general.alignment") ?? ALIGNED;
  const start = Math.ceil(from.read / aligned) * aligned;
  from.expect(listed.reduce((sum, tensor) => sum + sizeOf(tensor), 0));
  const tensors = placed(
    listed.sort((one, two) => one.offset - two.offset),
    wide,
  );
  for (const { name, offset, bytes } of tensors) {
    const between = start + offset - from.read;
    if (between < 0) throw new Unreadable(`The tensor ${name} overlaps another one.`);
    await from.take(between);
    await from.fill(bytes);
  }
  return new Map(tensors.map((tensor) => [tensor.name, tensor]));
}

// ---- the pieces as numbers and texts

const SIZES = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, u64: 8, i64: 8, f64: 8 };
const GETS = {
  u8: (view) => view.getUint8(0),
  i8: (view) => view.getInt8(0),
  u16: (view) => view.getUint16(0, true),
  i16: (view) => view.getInt16(0, true),
  u32: (view) => view.getUint32(0, true),
  i32: (view) => view.getInt32(0, true),
  f32: (view) => view.getFloat32(0, true),
  u64: (view) => Number(view.getBigUint64(0, true)),
  i64: (view) => Number(view.getBigInt64(0, true)),
  f64: (view) => view.getFloat64(0, true),
};
const BOOLEAN = 7;
const TEXT = 8;
const LIST = 9;
const NUMBERS = "u8 i8 u16 i16 u32 i32 f32 - - - u64 i64 f64".split(" ");

/** What arrives in pieces, taken in the portions that are needed. */
class Incoming {
  read = 0;
  #piece = new Uint8Array();
  #word = new Uint8Array(8);
  #number = new DataView(this.#word.buffer);

  constructor(pieces, size, progress) {
    this.pieces = pieces[Symbol.asyncIterator]();
    this.size = size;
    this.progress = progress;
  }

  /** The next `count` bytes, in memory of their own. */
  async take(count) {
    this.expect(count);
    const taken = new Uint8Array(count);
    await this.fill(taken);
    return taken;
  }

  /** Refuse what cannot still come. */
  expect(count) {
    if (count > Math.min(MOST, this.size - this.read)) throw cutOff();
  }

  /** Put the next bytes where they are to be. */
  async fill(bytes) {
    for (let filled = 0; filled < bytes.length; ) {
      if (!this.#piece.length) await this.#next();
      const part = this.#piece.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    this.read += bytes.length;
  }

  async #next() {
    const { value, done } = await this.pieces.next();
    if (done) throw cutOff();
    this.#piece = value;
    this.progress(this.read + value.length);
  }

  async number(kind) {
    await this.fill(this.#word.subarray(0, SIZES[kind]));
    return GETS[kind](this.#number);
  }

  async text() {
    return text.decode(await this.take(await this.number("u64")));
  }

  async value(kind) {
    if (kind === TEXT) return this.text();
    if (kind === BOOLEAN) return Boolean(await this.number("u8"));
    if (kind === LIST) return this.#list(await this.number("u32"), await this.number("u64"));
    if (!GETS[NUMBERS[kind]])
      throw new Unreadable(`This file has a fact of an unknown kind, ${kind}.`);
    return this.number(NUMBERS[kind]);
  }

  async #list(kind, count) {
    const values = [];
    for (let i = 0; i < count; i++) values.push(await this.value(kind));
    return values;
  }

  /** A tensor: as many columns as a vector has that it is multiplied by, and where its bytes lie. */
  async described() {
    const name = await this.text();
    const sizes = [];
    const dimensions = await this.number("u32");
    for (let i = 0; i < dimensions; i++) sizes.push(await this.number("u64"));
    const kind = await this.number("u32");
    if (!KINDS[kind]) throw new Unreadable(`${name} is packed in an unknown way, number ${kind}.`);
    const [columns, rows = 1, ...more] = sizes;
    if (more.length || columns % KINDS[kind].weights)
      throw new Unreadable(`${name} must be a matrix or a vector of whole packs of weights.`);
    return { name, columns, rows, kind, offset: await this.number("u64") };
  }
}

function cutOff() {
  return new Unreadable("This file is cut off: it ends before all that it announces.");
}
