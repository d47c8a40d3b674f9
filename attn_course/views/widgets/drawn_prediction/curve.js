// The arithmetic of a drawn curve: where a value lies on its axis, and how far apart two curves are.

/** Where a value lies on an axis: 0 at its low end, 1 at its high end. */
export function shareOf({ low, high, log }, value) {
  const of = log ? Math.log : Number;
  return (of(value) - of(low)) / (of(high) - of(low));
}

/** The value at a share of an axis, with that many levels, to three digits. */
export function valueAt({ low, high, log }, share, levels) {
  const level = Math.round(Math.min(Math.max(share, 0), 1) * levels);
  if (level === 0) return low;
  if (level === levels) return high;
  const value = log
    ? low * (high / low) ** (level / levels)
    : low + (high - low) * (level / levels);
  return Number(value.toPrecision(3));
}

/** The values between two points of a stroke, at each position that it crosses. */
export function crossed(shares, from, to) {
  const found = new Map();
  shares.forEach((share, place) => {
    const part = (share - from.x) / (to.x - from.x);
    if (part >= 0 && part <= 1) found.set(place, from.y + part * (to.y - from.y));
  });
  return found;
}

/**
 * What a stroke sets where it begins or ends, beside what it crosses: the position that lies nearest,
 * and the first or the last of all if nothing but the edge lies beyond.
 */
export function reached(shares, { x, y }) {
  const places = [nearest(shares, x)];
  if (x < shares[1]) places.push(0);
  if (x > shares.at(-2)) places.push(shares.length - 1);
  return new Map(places.map((place) => [place, y]));
}

/** The position that lies nearest. */
export function nearest(shares, x) {
  const away = shares.map((share) => Math.abs(share - x));
  return away.indexOf(Math.min(...away));
}

/** How far a curve is from another: the difference, or on a logarithmic axis the factor. */
export function distance({ log }, curve, other) {
  const apart = curve.map((value, place) =>
    Math.abs(log ? Math.log(value / other[place]) : value - other[place]),
  );
  const largest = Math.max(...apart);
  const average = apart.reduce((sum, each) => sum + each, 0) / apart.length;
  const told = log ? Math.exp : Number;
  return { average: told(average), largest: told(largest), at: apart.indexOf(largest) };
}
