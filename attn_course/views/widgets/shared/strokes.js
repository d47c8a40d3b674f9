// A drawing of strokes on a pad, and the few pixels that it becomes.

export const PAD = 32; // the pad's side, in its own units
export const SIDE = 8; // and in pixels
const LEAST = PAD / 4; // what is smaller than this is not made as large as the pad

/** A path through the points of a stroke; a single point is a dot. */
export function pathOf(stroke) {
  const points = stroke.length > 1 ? stroke : [stroke[0], stroke[0]];
  return `M${points.map((point) => point.map((entry) => entry.toFixed(1)).join(" ")).join("L")}`;
}

/** How far the points of all strokes reach. */
export function extentOf(strokes) {
  const [xs, ys] = [0, 1].map((axis) => strokes.flat().map((point) => point[axis]));
  const reach = (values) => [Math.min(...values), Math.max(...values)];
  return { x: reach(xs), y: reach(ys) };
}

/** The strokes, made as large as the pad allows, and in its middle: so were the digits that the
 *  model learnt from. */
export function fittedStrokes(strokes, thickness) {
  const { x, y } = extentOf(strokes);
  const scale = (PAD - thickness) / Math.max(x[1] - x[0], y[1] - y[0], LEAST);
  const middle = [x, y].map(([low, high]) => (low + high) / 2);
  return strokes.map((stroke) =>
    stroke.map((point) => point.map((entry, axis) => PAD / 2 + scale * (entry - middle[axis]))),
  );
}

/** Mark the fine pixels whose centres lie within half a thickness of a line. */
function mark(fine, [x1, y1], [x2, y2], half) {
  const clamp = (value) => Math.min(Math.max(value, 0), PAD);
  const [left, right] = [Math.min(x1, x2) - half, Math.max(x1, x2) + half].map(clamp);
  const [top, bottom] = [Math.min(y1, y2) - half, Math.max(y1, y2) + half].map(clamp);
  const [dx, dy] = [x2 - x1, y2 - y1];
  const square = dx * dx + dy * dy;
  for (let row = Math.floor(top); row < bottom; row++)
    for (let column = Math.floor(left); column < right; column++) {
      const [x, y] = [column + 0.5 - x1, row + 0.5 - y1];
      const along = square ? Math.min(Math.max((x * dx + y * dy) / square, 0), 1) : 0;
      const distance = Math.hypot(x - along * dx, y - along * dy);
      if (distance <= half) fine[row * PAD + column] = 1;
    }
}

/** The strokes as 8 by 8 pixels from 0 to 1: each is the share of ink in 4 by 4 finer ones, as
 *  the digits of scikit-learn were made. */
export function pixelsOf(strokes, thickness) {
  const pixels = new Float64Array(SIDE * SIDE);
  if (!strokes.length) return pixels;
  const fine = new Uint8Array(PAD * PAD);
  for (const stroke of fittedStrokes(strokes, thickness))
    stroke.forEach((point, n) => {
      mark(fine, stroke[Math.max(n - 1, 0)], point, thickness / 2);
    });
  const block = PAD / SIDE;
  fine.forEach((ink, at) => {
    const [row, column] = [Math.floor(at / PAD), at % PAD];
    const pixel = SIDE * Math.floor(row / block) + Math.floor(column / block);
    pixels[pixel] += ink / (block * block);
  });
  return pixels;
}
