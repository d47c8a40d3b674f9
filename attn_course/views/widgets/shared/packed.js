// Weights that are packed as they are in a model's file, and their product with vectors.
//
// They lie in one memory, each once. Where the processor's wide arithmetic can be used, it is the
// memory of packed.wat, which multiplies there. Elsewhere the same is done here, in more time.

/** For each kind: how many weights share how many bytes, and what is done with a row of them. */
export const KINDS = {
  0: { name: "F32", weights: 1, bytes: 4, unpack: unpackFloats, dot: dotFloats },
  3: { name: "Q4_1", weights: 32, bytes: 20, unpack: unpackFourBits, dot: dotFourBits },
  8: { name: "Q8_0", weights: 32, bytes: 34, unpack: unpackEightBits, dot: dotEightBits },
};

const TOGETHER = 8; // vectors that packed.wat is given at once
const BLOCK = 144; // bytes there for 32 entries of a vector
const PAGE = 2 ** 16; // bytes

export const sizeOf = ({ rows, columns, kind }) =>
  (rows * columns * KINDS[kind].bytes) / KINDS[kind].weights;

/** The tensors with `bytes` in one memory, for their weights; `wide` is packed.wat, if it can run.
 *
 *  In that case, the vectors lie in front of all weights, then eight sums for each, and the results. */
export function placed(tensors, wide) {
  const most = (size) => tensors.reduce((found, tensor) => Math.max(found, size(tensor)), 0);
  const sums = TOGETHER * BLOCK * Math.ceil(most(({ columns }) => columns) / 32);
  const results = sums + TOGETHER * 32;
  let next = wide ? results + TOGETHER * 4 * most(({ rows }) => rows) : 0;
  const size = tensors.reduce((sum, tensor) => sum + sizeOf(tensor), next);
  const memory = wide
    ? new WebAssembly.Memory({ initial: Math.ceil(size / PAGE) })
    : { buffer: new ArrayBuffer(size) };
  const multiply = wide && new WebAssembly.Instance(wide, { page: { memory } }).exports.product;
  return tensors.map((tensor) => {
    const bytes = new Uint8Array(memory.buffer, next, sizeOf(tensor));
    next += bytes.length;
    return { ...tensor, bytes, multiply, sums, results };
  });
}

/** A row of a matrix, unpacked. */
export function rowOf({ bytes, columns, kind }, number) {
  const row = new Float32Array(columns);
  KINDS[kind].unpack(bytes, number * sizeOf({ rows: 1, columns, kind }), row);
  return row;
}

/** A matrix times each of the vectors. */
export function product(matrix, vectors) {
  if (!matrix.multiply || !ORDERS[matrix.kind]) return plainProduct(matrix, vectors);
  const found = [];
  for (let i = 0; i < vectors.length; i += TOGETHER)
    found.push(...wideProduct(matrix, vectors.slice(i, i + TOGETHER)));
  return found;
}

function plainProduct({ rows, columns, kind, bytes }, vectors) {
  const { dot } = KINDS[kind];
  const stride = sizeOf({ rows: 1, columns, kind });
  const sums = vectors.map(sumsOf);
  const results = vectors.map(() => new Float32Array(rows));
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < vectors.length; i++)
      results[i][r] = dot(bytes, r * stride, vectors[i], sums[i]);
  }
  return results;
}

/** The sum of every 32 entries, which the least weight of a block is times. */
function sumsOf(vector) {
  const sums = new Float64Array(Math.ceil(vector.length / 32));
  for (let k = 0; k < vector.length; k++) sums[k >> 5] += vector[k];
  return sums;
}

// ---- what packed.wat does

/** The order in which it takes the numbers of a block: of eight words at once, from the lowest bits. */
const ORDERS = {
  3: inOrder((step, word) => 16 * (step & 1) + 2 * word + (step >> 1)),
  8: inOrder((step, word) => 16 * (step >> 1) + 2 * word + (step & 1)),
};

function inOrder(place) {
  return Uint8Array.from({ length: 32 }, (_, n) => place(n >> 3, n & 7));
}

function wideProduct(matrix, vectors) {
  const { kind, rows, bytes, multiply, sums, results } = matrix;
  const units = vectors.map((vector, i) => layOut(matrix, vector, i, vectors.length));
  const end = vectors.length * BLOCK * (vectors[0].length / 32);
  const last = bytes.byteOffset + bytes.length;
  multiply(kind, bytes.byteOffset, last, 0, end, sums, sums + 16 * vectors.length, results);
  const all = new Float32Array(bytes.buffer, results, rows * vectors.length);
  return units.map((unit, i) => {
    const found = new Float32Array(rows);
    for (let r = 0; r < rows; r++) found[r] = unit * all[r * units.length + i];
    return found;
  });
}

/** Put a vector, the i-th of `count`, where it is multiplied. The unit is returned that it is in. */
function layOut({ kind, bytes }, vector, i, count) {
  const parts = new Int16Array(bytes.buffer, 0, bytes.byteOffset >> 1);
  const floats = new Float32Array(bytes.buffer, 0, bytes.byteOffset >> 2);
  const order = ORDERS[kind];
  let largest = 0;
  for (let k = 0; k < vector.length; k++) largest = Math.max(largest, Math.abs(vector[k]));
  const times = (2 ** 30 - 1) / largest; // where all is 0, the numbers are so as well
  for (let k = 0, at = (i * BLOCK) / 2; k < vector.length; k += 32, at += (count * BLOCK) / 2) {
    let sum = 0;
    for (let n = 0; n < 32; n++) {
      const whole = (vector[k + order[n]] * times) | 0;
      parts[at + n] = whole >> 15;
      parts[at + 32 + n] = whole & 0x7fff;
      sum += whole;
    }
    floats[at / 2 + 32] = sum;
  }
  return 1 / times;
}

// ---- how weights are packed

function unpackFloats(bytes, start, row) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  for (let k = 0; k < row.length; k++) row[k] = view.getFloat32(4 * k, true);
}

function dotFloats(bytes, start, vector) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  return vector.reduce((sum, entry, k) => sum + view.getFloat32(4 * k, true) * entry, 0);
}

/** 32 weights are scale * q + least, with q from 0 to 15; byte k has those at k and at k + 16. */
function unpackFourBits(bytes, start, row) {
  for (let k = 0, at = start; k < row.length; k += 32, at += 20) {
    const [scale, least] = [half(bytes, at), half(bytes, at + 2)];
    for (let i = 0; i < 16; i++) {
      const two = bytes[at + 4 + i];
      row[k + i] = scale * (two & 15) + least;
      row[k + i + 16] = scale * (two >> 4) + least;
    }
  }
}

function dotFourBits(bytes, start, vector, sums) {
  let total = 0;
  for (let k = 0, at = start; k < vector.length; k += 32, at += 20) {
    let [low, high] = [0, 0];
    for (let i = 0; i < 16; i++) {
      const two = bytes[at + 4 + i];
      low += (two & 15) * vector[k + i];
      high += (two >> 4) * vector[k + i + 16];
    }
    total += half(bytes, at) * (low + high) + half(bytes, at + 2) * sums[k >> 5];
  }
  return total;
}

/** 32 weights are scale * q, with q from -128 to 127. */
function unpackEightBits(bytes, start, row) {
  for (let k = 0, at = start; k < row.length; k += 32, at += 34) {
    const scale = half(bytes, at);
    for (let i = 0; i < 32; i++) row[k + i] = scale * ((bytes[at + 2 + i] << 24) >> 24);
  }
}

function dotEightBits(bytes, start, vector) {
  let total = 0;
  for (let k = 0, at = start; k < vector.length; k += 32, at += 34) {
    let sum = 0;
    for (let i = 0; i < 32; i++) sum += ((bytes[at + 2 + i] << 24) >> 24) * vector[k + i];
    total += half(bytes, at) * sum;
  }
  return total;
}

/** All numbers of 16 bits: sign, 5 bits of exponent, 10 bits behind the point. */
const HALVES = Float32Array.from({ length: 2 ** 16 }, (_, bits) => {
  const [exponent, rest] = [(bits >> 10) & 31, (bits & 1023) / 1024];
  const size = exponent ? (1 + rest) * 2 ** (exponent - 15) : rest * 2 ** -14;
  return bits >> 15 ? -size : size;
});

const half = (bytes, at) => HALVES[bytes[at] | (bytes[at + 1] << 8)];
