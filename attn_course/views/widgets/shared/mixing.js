// Mixing vectors: the context, where it lies in the plane, and what it lies near.
// A vector is an array of numbers; a point is [x, y].

import { sparsemax } from "./weighing.js";

/** The context: sum_j weights[j] * vectors[j]. */
export function mix(weights, vectors) {
  return vectors[0].map((_, k) =>
    vectors.reduce((sum, vector, j) => sum + weights[j] * vector[k], 0),
  );
}

/** A vector's place in the plane: axes (2 x size) times (vector - centre). */
export function project(vector, axes, centre) {
  return axes.map((axis) => axis.reduce((sum, a, k) => sum + a * (vector[k] - centre[k]), 0));
}

export function distance(one, two) {
  return Math.hypot(...one.map((value, k) => value - two[k]));
}

/** Which of the vectors is nearest to this one, and how far away: { index, distance }. */
export function nearest(vector, vectors) {
  const far = vectors.map((other) => distance(vector, other));
  const least = Math.min(...far);
  return { index: far.indexOf(least), distance: least };
}

/** Twice the signed area of the triangle a, b, c: above zero where it turns to the left. */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** The corners of the convex hull of some points, as their indices, once around.
 *  Andrew's chains: from left to right along the bottom, and back along the top. */
export function hull(points) {
  const order = points.map((_, j) => j);
  order.sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
  const chain = (indices) => {
    const corners = [];
    for (const index of indices) {
      const bends = () => turn(...[corners.at(-2), corners.at(-1), index].map((j) => points[j]));
      while (corners.length > 1 && bends() <= 0) corners.pop();
      corners.push(index);
    }
    return corners.slice(0, -1); // the last is the first of the other chain
  };
  return points.length > 1 ? [...chain(order), ...chain(order.reverse())] : order;
}

/** The weights after setting one of them; the others share the rest in their old proportions.
 *  If they had nothing, they share equally. */
export function setWeight(weights, index, share) {
  const rest = weights.reduce((sum, weight, j) => (j === index ? sum : sum + weight), 0);
  const others = weights.length - 1;
  if (!others) return [1];
  return weights.map((weight, j) => {
    if (j === index) return share;
    return (1 - share) * (rest > 0 ? weight / rest : 1 / others);
  });
}

const STEPS = 200; // fast enough for one frame; few places miss by more than a thousandth

/** Weights that put the mix of these points at `goal` or, if none do, at the nearest place
 *  on the wall of their hull. Within the hull many weights do; these are near `start`.
 *    minimise |Σ_j α_j p_j - goal|² over shares α, by accelerated projected gradient
 *  (Beck & Teboulle 2009). The nearest shares to any numbers are their sparsemax. */
export function weightsFor(goal, points, start) {
  const stopped = atTheWall(goal, points);
  if (stopped) return stopped;
  const from = points.map((point) => point.map((entry, k) => entry - goal[k]));
  const steepest = steepness(from); // not 0: points that are all alike have no inside
  let [weights, ahead, pace] = [start, start, 1];
  for (let step = 0; step < STEPS; step++) {
    const miss = mix(ahead, from);
    const moved = ahead.map((weight, j) => {
      const slope = from[j][0] * miss[0] + from[j][1] * miss[1];
      return weight - slope / steepest;
    });
    const next = sparsemax(moved);
    const faster = (1 + Math.sqrt(1 + 4 * pace ** 2)) / 2;
    ahead = next.map((weight, j) => weight + ((pace - 1) / faster) * (weight - weights[j]));
    const still = next.every((weight, j) => Math.abs(weight - weights[j]) < 1e-9);
    [weights, pace] = [next, faster];
    if (still) break;
  }
  return weights;
}

/** The largest eigenvalue of the 2 by 2 matrix Σ_j p_j p_jᵀ: how steep the slope can get. */
function steepness(points) {
  const sum = (k, m) => points.reduce((total, point) => total + point[k] * point[m], 0);
  const [a, b, c] = [sum(0, 0), sum(0, 1), sum(1, 1)];
  return (a + c) / 2 + Math.hypot((a - c) / 2, b);
}

/** For a place outside the hull: all weight on the two corners of the nearest wall. */
function atTheWall(goal, points) {
  const corners = hull(points);
  const walls = corners.map((corner, k) => [corner, corners[(k + 1) % corners.length]]);
  const outside = ([i, j]) => turn(points[i], points[j], goal) < 0;
  if (corners.length > 2 && !walls.some(outside)) return null;
  const ends = walls.map(([i, j]) => {
    const along = points[j].map((entry, k) => entry - points[i][k]);
    const length = along[0] ** 2 + along[1] ** 2;
    const far = (goal[0] - points[i][0]) * along[0] + (goal[1] - points[i][1]) * along[1];
    const share = length ? Math.min(Math.max(far / length, 0), 1) : 0;
    const weights = points.map((_, k) => (k === j ? share : k === i ? 1 - share : 0));
    return { weights, miss: distance(goal, mix(weights, points)) };
  });
  return ends.sort((one, two) => one.miss - two.miss)[0].weights;
}
