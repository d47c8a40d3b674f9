// Random numbers that are the same in every browser.

/** Random numbers from 0 to 1: "mulberry32", a multiply-and-shift generator of 32 bits. */
export function uniform(number) {
  let state = number | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same for small numbers, which would begin alike. */
export const randomFrom = (seed) => uniform((seed + 1) * 0x9e3779b9);
