// What a wall shows and changes, as a link: #wall=... in the page's own address. It is made when a
// reader asks for it, and is the only thing that holds a reader's text.
import { PARTS, textOf } from "../../attn_course/views/widgets/wall/changing.js";
import { chosenSentence, coloursOf, OWN } from "../../attn_course/views/widgets/wall/reading.js";

const MARK = "#wall=";
const VERSION = 1;
const LETTERS = 2000; // characters of a text

/** The address of this page with the wall as it is now. */
export function linkTo(wall) {
  const { name } = chosenSentence(wall);
  const which = name === OWN ? { text: textOf(wall) } : { sentence: name };
  const [chosen, colour, changes] = ["chosen", "colour", "changes"].map((trait) => wall.get(trait));
  const state = JSON.stringify({ version: VERSION, ...which, chosen, colour, changes });
  const bytes = new TextEncoder().encode(state);
  const packed = btoa(String.fromCharCode(...bytes));
  const base = packed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}${MARK}${base}`;
}

/** Show what the address says, as far as this wall knows it. Said is what it does not know; `own` is a
 *  text that only the model itself can read, with its changes. */
export function restore(wall, hash = location.hash) {
  if (!hash.startsWith(MARK)) return null;
  const state = unpacked(hash.slice(MARK.length));
  if (state?.version !== VERSION)
    return { said: ["The link in this page’s address is broken, or of another version."] };
  const said = [];
  const changes = known(wall, state.changes ?? {}, said);
  const traits = { ...choice(wall, state, said), changes };
  const isOwn = typeof state.text === "string";
  const index = wall.get("sentences").findIndex(({ name }) => name === state.sentence);
  if (isOwn && state.text.length > LETTERS)
    said.push(`Its text is longer than ${LETTERS} letters.`);
  else if (isOwn) return { said, own: { text: state.text, changes }, traits };
  else if (index < 0) said.push(`There is no sentence “${state.sentence}” here.`);
  else traits.index = index;
  return { said, traits };
}

function unpacked(base) {
  try {
    const packed = atob(base.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

const isNumber = (value, count) => Number.isInteger(value) && value >= 0 && value < count;

function isHead(wall, head) {
  const counts = [wall.get("blocks"), wall.get("heads")];
  return Array.isArray(head) && head.length === 2 && counts.every((n, k) => isNumber(head[k], n));
}

function choice(wall, { chosen, colour }, said) {
  const traits = {};
  if (isHead(wall, chosen)) traits.chosen = chosen;
  else said.push(`There is no head ${[chosen].flat().join("·")}.`);
  if (["", ...coloursOf(wall)].includes(colour)) traits.colour = colour;
  return traits;
}

/** The changes that this wall can make. */
function known(wall, { silenced = [], exchange, hidden, unkeyed }, said) {
  const heads = [silenced].flat().length ? silenced : [];
  const good = heads.filter((head) => isHead(wall, head));
  for (const head of heads)
    if (!good.includes(head)) said.push(`There is no head ${[head].flat().join("·")}.`);
  const changes = good.length ? { silenced: good } : {};
  const tried = { exchange: isExchange(wall, exchange), hidden: isPlaced(wall, hidden) };
  for (const [name, value] of Object.entries({ exchange, hidden, unkeyed })) {
    if (!value) continue;
    if (tried[name] ?? isHead(wall, value)) changes[name] = value;
    else said.push("One of its changes is not known here.");
  }
  return changes;
}

function isPlaced(wall, change) {
  if (!change) return false;
  return isNumber(change.position, LETTERS) && isNumber(change.from, wall.get("blocks"));
}

function isExchange(wall, change) {
  if (!isPlaced(wall, change)) return false;
  const { text, part, source } = change;
  const isText = typeof text === "string" && text.length <= LETTERS;
  return isText && PARTS.includes(part) && isNumber(source, LETTERS);
}
