// The reader of canvases, as it runs in the page: three convolutions, a score for each cell, and one
// digit read off the weighted sum. Batch normalisation has been folded into the convolutions by
// `attn_course.views.widgets.folding`.

import { affine, sumOver } from "./bahdanau.js";
import { softmax } from "./common.js";

/** A convolution of 3 by 3 with a padding of 1, then ReLU. `stack` has `planes` of `rows` by
 *  `columns`, one after the other. */
function convolved({ values, planes, rows, columns }, weight, bias, stride = 1) {
  const [outRows, outColumns] = [rows, columns].map((size) => Math.floor((size - 1) / stride) + 1);
  const size = outRows * outColumns;
  const out = new Float64Array(weight.rows * size);
  for (let plane = 0; plane < weight.rows; plane++) {
    const sums = out.subarray(plane * size, (plane + 1) * size);
    sums.fill(bias.values[plane]);
    for (let tap = 0; tap < 9 * planes; tap++) {
      const share = weight.values[plane * weight.columns + tap];
      const from = Math.floor(tap / 9) * rows * columns;
      const [down, across] = [(Math.floor(tap / 3) % 3) - 1, (tap % 3) - 1];
      addShifted(sums, values, { share, from, down, across, stride, rows, columns, outColumns });
    }
    for (let at = 0; at < size; at++) if (sums[at] < 0) sums[at] = 0;
  }
  return { values: out, planes: weight.rows, rows: outRows, columns: outColumns };
}

/** Add one tap of a kernel: a share of a plane that has been shifted. Outside of it are zeros. */
function addShifted(sums, values, tap) {
  const { share, from, down, across, stride, rows, columns, outColumns } = tap;
  const first = across < 0 ? 1 : 0; // the first column whose neighbour is on the canvas
  const beyond = Math.min(outColumns, Math.floor((columns - 1 - across) / stride) + 1);
  for (let row = 0, at = 0; at < sums.length; row++, at += outColumns) {
    const inside = row * stride + down;
    if (inside < 0 || inside >= rows) continue;
    let source = from + inside * columns + first * stride + across;
    for (let column = first; column < beyond; column++, source += stride)
      sums[at + column] += share * values[source];
  }
}

/** The largest of each 2 by 2; a last row or column without a partner is dropped. */
function pooled({ values, planes, rows, columns }) {
  const [outRows, outColumns] = [rows >> 1, columns >> 1];
  const out = new Float64Array(planes * outRows * outColumns);
  let at = 0;
  for (let plane = 0; plane < planes; plane++)
    for (let row = 0; row < outRows; row++)
      for (let column = 0; column < outColumns; column++) {
        const corner = (plane * rows + 2 * row) * columns + 2 * column;
        const below = corner + columns;
        const upper = Math.max(values[corner], values[corner + 1]);
        out[at++] = Math.max(upper, values[below], values[below + 1]);
      }
  return { values: out, planes, rows: outRows, columns: outColumns };
}

/** What a reader of canvases sees in each cell: `features[cell]`, row by row. */
function featuresOf(arrays, pixels, rows, columns) {
  const layer = (stack, number, stride) =>
    convolved(stack, arrays[`conv${number}.weight`], arrays[`conv${number}.bias`], stride);
  const canvas = { values: pixels, planes: 1, rows, columns };
  const stack = layer(layer(pooled(layer(canvas, 1)), 2), 3, 2);
  const size = stack.rows * stack.columns;
  const features = Array.from({ length: size }, (_, cell) =>
    Float64Array.from({ length: stack.planes }, (_, plane) => stack.values[plane * size + cell]),
  );
  return { features, cells: { rows: stack.rows, columns: stack.columns } };
}

/** Look at a canvas once:
 *    e_j = w · h_j + b     α = softmax(e)     c = Σ_j α_j h_j     logits = W c + b */
export function readCanvas(arrays, pixels, rows, columns) {
  const { features, cells } = featuresOf(arrays, pixels, rows, columns);
  const scores = features.map(
    (feature) => affine(arrays["score.weight"], feature, arrays["score.bias"])[0],
  );
  const weights = softmax(scores);
  const context = features[0].map((_, k) => sumOver(weights, (share, j) => share * features[j][k]));
  const logits = affine(arrays["readout.weight"], context, arrays["readout.bias"]);
  return { cells, weights, logits };
}
