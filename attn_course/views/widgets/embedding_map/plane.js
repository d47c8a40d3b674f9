// The geometry of a few points: planes to see them in, and how far some stand apart. Points are
// arrays of numbers, one per dimension. What `attn_lab.typos.letter_sets` computes too
// is tested to be the same.

const MOST = 100000; // sets that are tried one by one
const ROUNDS = 400; // of power iteration

const dot = (a, b) => a.reduce((sum, entry, k) => sum + entry * b[k], 0);
const minus = (a, b) => a.map((entry, k) => entry - b[k]);
const scaled = (a, factor) => a.map((entry) => entry * factor);
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));

export function meanOf(points) {
  return points[0].map((_, k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
}

/** The direction in which the points are spread most, orthogonal to those given. */
function widest(points, others = []) {
  const centre = meanOf(points);
  const rests = points.map((point) => without(minus(point, centre), others));
  let direction = unit(rests.reduce((a, b) => (dot(a, a) >= dot(b, b) ? a : b)));
  const scatter = scatterOf(rests);
  for (let round = 0; round < ROUNDS; round++) {
    const moved = scatter.map((row, k) => direction[k] + dot(row, direction));
    direction = unit(without(moved, others));
  }
  return direction;
}

/** The sum of the outer products of the points with themselves. */
function scatterOf(points) {
  const size = points[0].length;
  const scatter = Array.from({ length: size }, () => new Array(size).fill(0));
  for (const point of points) {
    point.forEach((a, row) => point.forEach((b, column) => (scatter[row][column] += a * b)));
  }
  return scatter;
}

function without(vector, directions) {
  return directions.reduce((rest, each) => minus(rest, scaled(each, dot(rest, each))), vector);
}

/** The two directions of the largest spread: the first two principal components. */
export function spreadPlane(points) {
  const first = widest(points);
  return [first, widest(points, [first])];
}

/** Fisher's discriminant, the direction that sets the marked points apart best, and the direction
 *  of the largest spread beside it. */
export function partingPlane(points, marked) {
  const groups = [true, false].map((inside) => points.filter((_, n) => marked.has(n) === inside));
  const means = groups.map(meanOf);
  const size = points[0].length;
  const scatter = scatterOf(
    groups.flatMap((group, g) => group.map((point) => minus(point, means[g]))),
  );
  const ridge = scatter.reduce((sum, row, k) => sum + row[k], 0) / size / 100;
  scatter.forEach((row, k) => (row[k] += ridge));
  const first = unit(solve(scatter, minus(means[0], means[1])));
  return [first, widest(points, [first])];
}

/** x with A x = b, by elimination with the largest pivot. */
function solve(A, b) {
  const rows = A.map((row, k) => [...row, b[k]]);
  const size = b.length;
  for (let k = 0; k < size; k++) {
    const best = rows
      .slice(k)
      .reduce((at, row, n) => (Math.abs(row[k]) > Math.abs(rows[at][k]) ? k + n : at), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let below = k + 1; below < size; below++) {
      const factor = rows[below][k] / rows[k][k];
      for (let column = k; column <= size; column++)
        rows[below][column] -= factor * rows[k][column];
    }
  }
  const x = new Array(size).fill(0);
  for (let k = size - 1; k >= 0; k--) {
    const known = x.reduce((sum, entry, column) => sum + rows[k][column] * entry, 0);
    x[k] = (rows[k][size] - known) / rows[k][k];
  }
  return x;
}

/** The points in a plane, around their mean. */
export function project(points, plane) {
  const centre = meanOf(points);
  return points.map((point) => plane.map((direction) => dot(minus(point, centre), direction)));
}

export function distancesOf(points) {
  return points.map((a) => points.map((b) => Math.hypot(...minus(a, b))));
}

/** The tokens nearest to one, nearest first. */
export function nearest(distances, one, count) {
  return distances[one]
    .map((distance, n) => ({ distance, n }))
    .filter(({ n }) => n !== one)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ n }) => n);
}

/** The mean distance from a set to the others, over the mean distance within it. */
export function separation(distances, set) {
  let [within, total] = [0, 0];
  for (const a of set) {
    for (const distance of distances[a]) total += distance;
    for (const b of set) within += distances[a][b];
  }
  const [size, count] = [set.length, distances.length];
  const across = (total - within) / (size * (count - size));
  return across / (within / (size * (size - 1)));
}

export function countSets(count, size) {
  let sets = 1;
  for (let k = 0; k < size; k++) sets = (sets * (count - k)) / (k + 1);
  return Math.round(sets);
}

/** The share of all sets of this size that stand apart at least as well; null for too many. */
export function shareAsGood(distances, set) {
  const [size, count] = [set.length, distances.length];
  const all = countSets(count, size);
  if (size < 2 || size >= count || all > MOST) return null;
  const limit = separation(distances, set) * (1 - 1e-9);
  const sums = distances.map((row) => row.reduce((sum, distance) => sum + distance, 0));
  const factor = (size * (size - 1)) / (size * (count - size));
  const chosen = new Array(size);
  let asGood = 0;
  const choose = (depth, from, within, total) => {
    if (depth === size) {
      if ((factor * (total - within)) / within >= limit) asGood += 1;
      return;
    }
    for (let n = from; n <= count - size + depth; n++) {
      let inside = within;
      for (let k = 0; k < depth; k++) inside += 2 * distances[n][chosen[k]];
      chosen[depth] = n;
      choose(depth + 1, n + 1, inside, total + sums[n]);
    }
  };
  choose(0, 0, 0, 0);
  return asGood / all;
}
