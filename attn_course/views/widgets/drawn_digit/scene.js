// What stands on a canvas: a digit and pieces of clutter, at places that can change, and noise.

import { SIDE } from "../shared/strokes.js";
import { randomFrom } from "../shared/uniform.js";

/** Nearly normal noise, a sum of twelve uniform numbers: the same in every browser. */
function noiseFrom(seed, count) {
  const next = randomFrom(seed);
  return Float64Array.from({ length: count }, () => {
    let sum = -6;
    for (let n = 0; n < 12; n++) sum += next();
    return sum;
  });
}

/** The pixels of a canvas: where things overlap, the darker one; plus noise, cut off at 0
 *  and 1. `things` are pairs of a picture and the place of its top left corner. */
export function blended({ rows, columns }, things, noise, seed) {
  const pixels = new Float64Array(rows * columns);
  for (const [picture, [top, left]] of things)
    picture.values.forEach((value, at) => {
      const row = top + Math.floor(at / picture.columns);
      const place = row * columns + left + (at % picture.columns);
      pixels[place] = Math.max(pixels[place], value);
    });
  if (!noise) return pixels;
  const field = noiseFrom(seed, pixels.length);
  return pixels.map((value, at) => Math.min(Math.max(value + noise * field[at], 0), 1));
}

/** Pieces at random places beside the digit's box. */
export function scattered({ pieces, rows, columns }, count, [boxTop, boxLeft], seed) {
  const next = randomFrom(seed);
  const below = (limit) => Math.floor(next() * limit);
  const found = [];
  for (let n = 0; n < count; n++) {
    const number = below(pieces.length);
    const piece = pieces[number];
    const covers = (top, left) =>
      top < boxTop + SIDE &&
      boxTop < top + piece.rows &&
      left < boxLeft + SIDE &&
      boxLeft < left + piece.columns;
    for (let tries = 0; tries < 100; tries++) {
      const [top, left] = [below(rows - piece.rows + 1), below(columns - piece.columns + 1)];
      if (covers(top, left)) continue;
      found.push([number, top, left]);
      break;
    }
  }
  return found;
}

/** Rows and columns of a thing: number 0 is the digit, then come the pieces. */
export function sizeOf({ pieces }, clutter, which) {
  if (!which) return [SIDE, SIDE];
  const { rows, columns } = pieces[clutter[which - 1][0]];
  return [rows, columns];
}

/** The number of the thing under a point [x, y], the digit first; -1 if there is none. */
export function thingAt(reader, place, clutter, [x, y]) {
  const corners = [place, ...clutter.map(([, top, left]) => [top, left])];
  return corners.findIndex(([top, left], which) => {
    const [rows, columns] = sizeOf(reader, clutter, which);
    return top <= y && y < top + rows && left <= x && x < left + columns;
  });
}

/** The traits once the chosen thing has its corner there, or as near to it as the canvas allows. */
export function movedTo(reader, { clutter, chosen }, [top, left]) {
  const which = Math.min(chosen, clutter.length);
  const [rows, columns] = sizeOf(reader, clutter, which);
  const place = [
    Math.min(Math.max(top, 0), reader.rows - rows),
    Math.min(Math.max(left, 0), reader.columns - columns),
  ];
  if (!which) return { place };
  const moved = clutter.map((one, at) => (at === which - 1 ? [one[0], ...place] : one));
  return { clutter: moved };
}
