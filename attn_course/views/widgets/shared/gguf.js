// A trained model as a file: GGUF, version 3, as llama.cpp and its tools write it.
//
// The file says what it holds, and then holds it: facts by name, a list of tensors, their bytes.
// It is read once from its beginning to its end, so it may still be on its way. Tensors keep the
// bits that they have in the file; `product` unpacks a row when it multiplies by it.

/** What cannot be read, in a sentence for the reader. */
export class Unreadable extends Error {}

const ALIGNED = 32; // bytes, unless the file says otherwise
const MOST = 2 ** 31; // bytes of one tensor
const text = new TextDecoder();

/** The facts and the tensors of a file that arrives as pieces; `size` is in bytes, if known. */
export async function readGguf(pieces, size = Infinity, progress = () => {}) {
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
  return { facts: known, tensors: await tensorBytes(from, listed, known) };
}

/** The tensors by name, each with its bytes, in the order in which they lie in the file. */
async function tensorBytes(from, listed, facts) {
  const aligned = facts.get("general.alignment") ?? ALIGNED;
  const start = Math.ceil(from.read / aligned) * aligned;
  const found = new Map();
  for (const { name, offset, ...tensor } of listed.sort((one, two) => one.offset - two.offset)) {
    const between = start + offset - from.read;
    if (between < 0) throw new Unreadable(`The tensor ${name} overlaps another one.`);
    await from.take(between);
    found.set(name, { ...tensor, bytes: await from.take(sizeOf(tensor)) });
  }
  return found;
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

  constructor(pieces, size, progress) {
    this.pieces = pieces[Symbol.asyncIterator]();
    this.size = size;
    this.progress = progress;
  }

  /** The next `count` bytes, in memory of their own. */
  async take(count) {
    if (count > Math.min(MOST, this.size - this.read)) throw cutOff();
    const taken = new Uint8Array(count);
    for (let filled = 0; filled < count; ) {
      if (!this.#piece.length) await this.#next();
      const part = this.#piece.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    this.read += count;
    return taken;
  }

  async #next() {
    const { value, done } = await this.pieces.next();
    if (done) throw cutOff();
    this.#piece = value;
    this.progress(this.read + value.length);
  }

  async number(kind) {
    return GETS[kind](new DataView((await this.take(SIZES[kind])).buffer));
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

// ---- how weights are packed

/** For each kind: how many weights share how many bytes, and how a row of them is unpacked. */
const KINDS = {
  0: { name: "F32", weights: 1, bytes: 4, unpack: unpackFloats },
  3: { name: "Q4_1", weights: 32, bytes: 20, unpack: unpackFourBits },
  8: { name: "Q8_0", weights: 32, bytes: 34, unpack: unpackEightBits },
};

function sizeOf({ rows, columns, kind }) {
  return (rows * columns * KINDS[kind].bytes) / KINDS[kind].weights;
}

function unpackFloats(bytes, start, row) {
  const view = new DataView(bytes.buffer, start);
  for (let k = 0; k < row.length; k++) row[k] = view.getFloat32(4 * k, true);
}

/** 32 weights are scale * q + least, with q from 0 to 15; byte k has those at k and at k + 16. */
function unpackFourBits(bytes, start, row) {
  for (let k = 0, at = start; k < row.length; k += 32, at += 20) {
    const scale = HALVES[bytes[at] | (bytes[at + 1] << 8)];
    const least = HALVES[bytes[at + 2] | (bytes[at + 3] << 8)];
    for (let i = 0; i < 16; i++) {
      const two = bytes[at + 4 + i];
      row[k + i] = scale * (two & 15) + least;
      row[k + i + 16] = scale * (two >> 4) + least;
    }
  }
}

/** 32 weights are scale * q, with q from -128 to 127. */
function unpackEightBits(bytes, start, row) {
  for (let k = 0, at = start; k < row.length; k += 32, at += 34) {
    const scale = HALVES[bytes[at] | (bytes[at + 1] << 8)];
    for (let i = 0; i < 32; i++) row[k + i] = scale * ((bytes[at + 2 + i] << 24) >> 24);
  }
}

/** All numbers of 16 bits: sign, 5 bits of exponent, 10 bits behind the point. */
const HALVES = Float32Array.from({ length: 2 ** 16 }, (_, bits) => {
  const [exponent, rest] = [(bits >> 10) & 31, (bits & 1023) / 1024];
  const size = exponent ? (1 + rest) * 2 ** (exponent - 15) : rest * 2 ** -14;
  return bits >> 15 ? -size : size;
});

/** A row of a matrix, unpacked. */
export function rowOf({ bytes, columns, kind }, number, row = new Float32Array(columns)) {
  KINDS[kind].unpack(bytes, number * sizeOf({ rows: 1, columns, kind }), row);
  return row;
}

/** A matrix times each of the vectors. A row is unpacked once for all of them. */
export function product(matrix, vectors) {
  const row = new Float32Array(matrix.columns);
  const results = vectors.map(() => new Float32Array(matrix.rows));
  for (let r = 0; r < matrix.rows; r++) {
    rowOf(matrix, r, row);
    for (let i = 0; i < vectors.length; i++) results[i][r] = dot(row, vectors[i]);
  }
  return results;
}

/** Four sums at a time, which a processor can add side by side. */
function dot(row, vector) {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = row.length & ~3;
  for (let k = 0; k < whole; k += 4) {
    a += row[k] * vector[k];
    b += row[k + 1] * vector[k + 1];
    c += row[k + 2] * vector[k + 2];
    d += row[k + 3] * vector[k + 3];
  }
  for (let k = whole; k < row.length; k++) a += row[k] * vector[k];
  return a + b + c + d;
}
