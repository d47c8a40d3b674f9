// What the wall and one of its heads come to, in words.

import { CLICK, capital, grouped, percent, series } from "../shared/common.js";
import { colouring, coloursOf, MEASURES } from "./reading.js";

/** "block 18, head 6" */
export function headInWords([block, head]) {
  return `block ${block}, head ${head}`;
}

function valueInWords({ name, unit }, value) {
  if (MEASURES.includes(name)) return percent(value);
  return `${grouped(value, { least: 2, most: 2 })}${unit && `\u00a0${unit}`}`;
}

/** The chosen head, and what colours it. */
export function cellName(model, found) {
  const { name, values } = found;
  const [block, head] = model.get("chosen");
  const where = capital(headInWords([block, head]));
  if (!values) return where;
  return `${where}: ${name} ${valueInWords(found, values[block * model.get("heads") + head])}`;
}

/** The mean over the wall, and the heads that have most. */
export function wallInWords(found, heads) {
  const { name, values } = found;
  if (!name) return `${CLICK} a map to see it large, or go from map to map with the arrow keys.`;
  if (!values) return "No piece of this sentence has occurred before.";
  if (!values.some(Boolean)) return `${capital(name)}: none here.`;
  const ranked = values.map((_, number) => number).sort((a, b) => values[b] - values[a]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const most = ranked.slice(0, 3).map((number) => {
    const where = headInWords([Math.floor(number / heads), number % heads]);
    return `${where} (${valueInWords(found, values[number])})`;
  });
  return `${capital(name)}: ${valueInWords(found, mean)} on average. Most: ${series(most)}.`;
}

/** All measures of the chosen head in this sentence. */
export function habitsOf(model, maps) {
  const [block, head] = model.get("chosen");
  const told = coloursOf(model).flatMap((name) => {
    const found = colouring(model, maps, name);
    const value = found.values?.[block * maps.heads + head];
    return found.values ? [`${name} ${valueInWords(found, value)}`] : [];
  });
  return told.length ? `${capital(told.join(", "))}.` : "";
}

/** What a sign means that stands for bytes which are no letter alone. */
export function halvesInWords(pieces) {
  return pieces.some((piece) => piece.includes("\ufffd")) ? HALF : "";
}

const HALF = "\ufffd is a part of a letter: that letter takes several tokens.";

/** A piece as it stands beside a map: signs for a line's end and for what else has no ink. */
export function pieceShown(piece) {
  return piece
    .replace(/^ (?=\S)/, "")
    .replaceAll("\n", "⏎")
    .replaceAll(" ", "␣");
}
