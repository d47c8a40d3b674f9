// Mixing vectors: the context, where it lies in the plane, and what it lies near.
// A vector is an array of numbers; a point is [x, y].

/** The context: sum_j weights[j] * vectors[j]. */
export function mix(weights, vectors) {
  return vectors[0].map((_, k) =>
    vectors.reduce((sum, vector, j) => sum + weights[j] * vector[k], 0),
  );
}

/** A vector seen in the plane: axes (2 x size) times (vector - centre). */
export function project(vector, axes, centre) {
  return axes.map((axis) => axis.reduce((sum, a, k) => sum + a * (vector[k] - centre[k]), 0));
}

export function distance(one, two) {
  return Math.hypot(...one.map((value, k) => value - two[k]));
}

/** Which of the vectors lies nearest to this one, and how far: { index, distance }. */
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

/** One weight set anew; the others share what is left in the proportions that they had.
 *  Where they had nothing they share alike. */
export function setWeight(weights, index, share) {
  const rest = weights.reduce((sum, weight, j) => (j === index ? sum : sum + weight), 0);
  const others = weights.length - 1;
  if (!others) return [1];
  return weights.map((weight, j) => {
    if (j === index) return share;
    return (1 - share) * (rest > 0 ? weight / rest : 1 / others);
  });
}
