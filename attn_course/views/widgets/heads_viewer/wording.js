// What a reading and a head come to, in words.

import { isSelected } from "../shared/alignment.js";
import { CLICK, capital, named, POINT_AT, percent, series } from "../shared/common.js";
import { neverSaw } from "../shared/typing.js";
import { START } from "./reading.js";

export function tokenName(token) {
  return token === START ? "the start" : named(token);
}

/** A token, and where it stands if it stands there twice. */
function placeName(tokens, index) {
  const twice = tokens.indexOf(tokens[index]) !== tokens.lastIndexOf(tokens[index]);
  return `${tokenName(tokens[index])}${twice ? ` at ${index + 1}` : ""}`;
}

const INVITATION =
  `${POINT_AT} a character below to see what it reads, or above to see what reads it. ` +
  `${CLICK} to hold it, then go to the other side.`;

/** What the head does at the selection: what the character reads, or what reads it. */
export function describeHead({ source, target, weights }, selection, kind) {
  if (!isSelected(selection)) return INVITATION;
  const { side, index } = selection;
  const asker = (i) => placeName(target, i);
  if (side === "target") {
    const whom = mostOf(weights[index], (j) => placeName(source, j));
    return `${kind === "encoder" ? "For" : "Writing"} ${asker(index)}, the head reads ${whom}.`;
  }
  const who = mostOf(
    weights.map((row) => row[index]),
    asker,
  );
  const how = kind === "encoder" ? "is read by" : "is read in writing";
  return `${capital(placeName(source, index))} ${how} ${who}.`;
}

function mostOf(shares, name) {
  const ranked = shares.map((_, k) => k).sort((a, b) => shares[b] - shares[a]);
  const told = ranked.filter((k) => shares[k] >= 0.05).slice(0, 4);
  if (!told.length) return "no character in particular";
  return series(told.map((k) => `${name(k)} (${shares[k].toFixed(2)})`));
}

const NEIGHBOURS = {
  encoder: new Map([
    [-1, "the character before"],
    [0, "the character itself"],
    [1, "the character after"],
  ]),
  decoder: new Map([
    [-1, "the last character but one"],
    [0, "the character just written"],
  ]),
  cross: new Map(),
};

/** How sharply a head looks, and how much of its weight goes to one neighbour, over this text. */
export function habitOf({ weights }, kind) {
  const strongest = mean(weights.map((row) => Math.max(...row)));
  const words = `Here, ${percent(strongest)} of its weight lies on the strongest links`;
  const [most] = [...NEIGHBOURS[kind]]
    .map(([aside, whom]) => {
      const given = weights.map((row, i) => row[i + aside]);
      return { whom, share: mean(given.filter((share) => share !== undefined)) };
    })
    .sort((a, b) => b.share - a.share);
  return most ? `${words}, ${percent(most.share)} on ${most.whom}.` : `${words}.`;
}

function mean(shares) {
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1);
}

/** How the answer changed; `silenced` says how many heads hand on nothing. */
export function verdict({ given, reading, result }, silenced) {
  if (!reading) return "Type a date as you write it at home: the answer follows as you type.";
  const words = [];
  if (given.length > given.ids.length) {
    words.push(
      `That is ${given.length} characters: the model reads the first ${given.ids.length}.`,
    );
  }
  const changed = result.changed.length;
  if (silenced && changed)
    words.push(changed > 1 ? `${changed} characters change.` : "One character changes.");
  if (silenced && !changed) words.push("The answer stays as it was.");
  if (!reading.iso.length) words.push("The model wrote nothing.");
  words.push(neverSaw(result.unknown));
  return words.filter(Boolean).join(" ");
}
