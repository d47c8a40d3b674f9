// The language model in the page: opened by the reader, from the own disk or from this site.
//
// The build puts a `.attn-language` wherever a page is to have it (widgets/language.py), all of it
// hidden but the ways in. The model runs in a worker of its own, language_worker.js. If the page has
// a wall of maps, the model is operated there: it reads what the wall shows, with what is changed.
import { create, percent } from "../../attn_course/views/widgets/shared/common.js";
import { keyOf, textOf } from "../../attn_course/views/widgets/wall/changing.js";
import { EFFECT, show, triangles } from "../../attn_course/views/widgets/wall/reading.js";
import { halvesInWords } from "../../attn_course/views/widgets/wall/wording.js";
import { linkTo, restore } from "./language_link.js";

const STORE = "attention-measured.model"; // the name of what the browser keeps
const FROM_A_FOLDER =
  "A page that is opened from a folder may not start what the model runs in. Where this book has a web address, it can.";
const IN_A_FRAME =
  "This page is shown inside another one, in a frame that lets nothing be started or stored (it is sandboxed without allow-same-origin). Open the page by itself.";
const NO_WORKER = "What the model runs in could not be started. Please load this page anew.";
const BLOCKED =
  "What the model runs in was blocked by the policy of this page, or by that of the site that shows it.";

const GONE =
  "What this browser had kept is gone; another tab may have removed it. It can be loaded from this site again.";
const NO_ROOM =
  "This browser had no room to keep the model; after a reload it has to be loaded again.";
const HALF_WRITTEN = "Of the last letter only a part is written so far.";

const walls = []; // the models of the walls on this page
const followed = new Set(); // those whose changes are listened to
let linked = null; // what the address asks of the first of them

document.addEventListener("attn-start", ({ target, detail }) => {
  if (target.dataset.widget !== "HeadWall") return;
  walls.push(detail);
  if (walls.length > 1) return;
  obey(detail);
  if (linked) target.scrollIntoView();
});

/** Show what the page's address says. */
function obey(wall) {
  linked = restore(wall);
  if (!linked) return;
  wall.set({ ...linked.traits, ...(linked.own && { changes: {} }) });
  if (linked.own) linked.said.push("The text of this link is read once the model is loaded.");
  for (const place of document.querySelectorAll(".attn-language [data-part=said]"))
    place.textContent = linked.said.join(" ");
}

async function copyLink(view) {
  const address = linkTo(walls[0]);
  history.replaceState(null, "", address);
  const isCopied = await navigator.clipboard?.writeText(address).then(
    () => true,
    () => false,
  );
  say(view, isCopied ? "The link is copied." : "The address of this page is the link now.");
}

function begin(place) {
  const part = (name) => place.querySelector(`[data-part="${name}"]`);
  const view = {
    place,
    part,
    worker: null,
    does: "",
    wall: null,
    again: null,
    begun: null, // what arrived of the site's file before the connection broke
    note: "",
    load: part("load").textContent,
  };
  part("ways").disabled = false;
  part("file").addEventListener("change", ({ target }) => {
    if (target.files[0]) ask(view, { does: "open", file: target.files[0] });
    target.value = ""; // the same file may be chosen again
  });
  part("load").addEventListener("click", () => view.does || load(view));
  part("cancel").addEventListener("click", () => cancel(view));
  part("remove").addEventListener("click", () => view.does || remove(view));
  part("read").addEventListener("click", () => view.does || read(view));
  part("form").addEventListener("keydown", ({ key, target, isComposing }) => {
    if (key === "Enter" && !isComposing && target.matches("input") && !view.does) read(view);
  });
  part("write").addEventListener("click", () => write(view));
  part("measure").addEventListener("click", () => measure(view));
  part("link").addEventListener("click", () => walls.length && copyLink(view));
  part("text").addEventListener("input", () => writable(view, false));
  writable(view, false);
  const lacking = location.protocol === "file:" ? FROM_A_FOLDER : origin === "null" && IN_A_FRAME;
  part("ways").disabled = Boolean(lacking);
  if (lacking) say(view, lacking);
  else offer(view);
  document.addEventListener("visibilitychange", () => view.does || lacking || offer(view));
}

const addressOf = ({ dataset }) => new URL(dataset.file, location.href).href;

// ---- what the browser keeps

/** What is kept of the site's file; nothing where there is no storage, or where it may not be used. */
async function kept(place) {
  try {
    return place.dataset.file && (await caches.match(addressOf(place)));
  } catch {
    return null;
  }
}

/** Say what is stored, and offer to remove it. */
async function offer({ place, part, load }) {
  const isKept = Boolean(await kept(place));
  if (!isKept && document.activeElement === part("remove")) part("load").focus();
  part("remove").hidden = !isKept;
  part("load").textContent = isKept ? "Open what this browser has kept" : load;
}

/** From what the browser has kept, or from the site. */
async function load(view, anew = false) {
  const { place, part, begun } = view;
  const [bytes, isOffered] = [Number(place.dataset.bytes), !part("remove").hidden];
  busy(view, "load");
  if (anew) await caches.delete(STORE);
  const found = await kept(place);
  if (!found) part("remove").hidden = true;
  const file = await found?.blob().catch(() => null);
  if (view.does !== "load") return; // stopped in the meantime
  if (file?.size === bytes) ask(view, { does: "open", file, isKept: true });
  else if (isOffered && !found && !anew) fail(view, { words: GONE });
  else ask(view, { does: "load", address: addressOf(place), bytes, begun });
}

/** The site's file, once it is here as a whole and known to be a model; where there is no room, not. */
async function keep(view, file) {
  try {
    const store = await caches.open(STORE);
    await store.put(addressOf(view.place), new Response(file));
  } catch {
    view.note = NO_ROOM; // it is open all the same
    if (!view.does) view.part("said").append(` ${NO_ROOM}`);
  }
}

async function remove(view) {
  await caches.delete(STORE);
  say(view, "Removed from this browser.");
  offer(view);
}

// ---- the worker

/** A new worker, which replaces an old one and its model. */
function start(view) {
  leave(view);
  view.part("form").hidden = view.part("answer").hidden = true;
  writable(view, false);
  view.worker = new Worker(view.place.dataset.worker);
  view.worker.addEventListener("message", ({ data }) => TOLD[data.kind](view, data));
  view.worker.addEventListener("error", () => notStarted(view));
}

/** The model goes, and a wall is left with what is stored. */
function leave(view) {
  view.worker?.terminate();
  view.wall?.set("reads", false);
  Object.assign(view, { worker: null, wall: null, again: null, note: "" });
}

async function notStarted(view) {
  const { href } = new URL(view.place.dataset.worker, location.href);
  await new Promise((go) => setTimeout(go)); // until a blocked script is known as such
  fail(view, { words: window.attnMissing?.get(href) ? BLOCKED : NO_WORKER });
}

function ask(view, asked) {
  busy(view, asked.does);
  view.asked = asked;
  try {
    if (["open", "load"].includes(asked.does)) start(view);
    view.worker.postMessage(asked);
  } catch {
    notStarted(view);
  }
}

const DOING = {
  open: "Opening …",
  load: "Loading …",
  write: "Writing …",
  read: "Reading …",
  measure: "Silencing one head after another …",
};

/**
 * While something is under way, nothing else does anything, except to stop. Nothing is disabled, since
 * the reader's place on the page would be lost.
 */
function busy(view, does) {
  const { part, place } = view;
  const wasAt = document.activeElement;
  if (does && !view.does) view.from = place.contains(wasAt) ? wasAt : null;
  view.does = does;
  if (!does && wasAt === part("cancel")) view.from?.focus();
  part("cancel").hidden = part("progress").hidden = !does;
  part("progress").removeAttribute("value");
  for (const name of ["load", "remove", "read", "measure"]) disable(part(name), does);
  writable(view, view.canWrite);
  if (does) say(view, DOING[does]);
}

/** Whether the model may go on from what was read. */
function writable(view, can) {
  view.canWrite = can;
  disable(view.part("write"), !can || view.does);
}

function disable(button, is) {
  button.setAttribute("aria-disabled", Boolean(is));
}

function say({ part }, words) {
  part("said").textContent = words;
}

/** A model that is only half there is dropped with its worker; a text is left at its next symbol. */
function cancel(view) {
  if (["read", "write", "measure"].includes(view.does)) {
    view.worker.postMessage({ does: "stop" });
    return;
  }
  leave(view);
  view.asked = null;
  fail(view, { words: "Cancelled. Nothing was kept." });
}

const TOLD = {
  progress,
  opened: ready,
  read: showRead,
  measured: showMeasured,
  wrote: showWritten,
  failed: fail,
};

function progress({ part }, { done, whole }) {
  Object.assign(part("progress"), { max: whole, value: done });
}

/** Say what is wrong, without an answer to something else above or below it. */
function fail(view, { words, begun = null }) {
  if (view.asked?.isKept && view.does === "open") return load(view, true);
  view.begun = begun;
  busy(view, "");
  view.part("answer").hidden = true;
  writable(view, false);
  say(view, words);
  const freed = view.again ? {} : { text: "" }; // so that it can be read once more
  if (view.wall) quietly(view, () => view.wall.set({ ...freed, problem: words }));
  view.again?.();
  offer(view);
}

async function ready(view, { blocks, heads, file }) {
  view.begun = null;
  busy(view, "");
  const fits = (wall) => wall.get("blocks") === blocks && wall.get("heads") === heads;
  view.part("form").hidden = false;
  view.part("from").max = blocks - 1;
  view.wall = walls.find(fits);
  if (view.wall) operate(view);
  else read(view);
  if (file) await keep(view, file);
  offer(view);
}

// ---- reading

const HEAD = /^(\d+)[·.:](\d+)$/;

function read(view) {
  const value = (name) => view.part(name).value;
  const named = value("heads")
    .split(/[\s,;]+/)
    .filter(Boolean);
  const heads = named.map((name) => HEAD.exec(name)?.slice(1).map(Number));
  const wrong = named.find((_, k) => !heads[k]);
  if (wrong)
    return fail(view, { words: `A head is named as 18·6 or 18.6, block first; not ${wrong}.` });
  const exchange = value("other") && {
    text: value("other"),
    position: Number(value("position")),
    from: Number(value("from")),
  };
  const changes = { silenced: heads, ...(exchange && { exchange }) };
  ask(view, { does: "read", text: value("text"), changes });
}

// ---- with a wall

/** Let the wall do the asking: its own line for a text appears, and what is changed there is read. */
function operate(view) {
  const { wall, part } = view;
  part("typed").hidden = true;
  part("measure").hidden = false;
  part("answer").hidden = true;
  if (!followed.has(wall)) {
    wall.on("change:text", () => readOwn(view));
    for (const name of ["changes", "index"]) wall.on(`change:${name}`, () => readWall(view));
    followed.add(wall);
  }
  wall.set("reads", true);
  const own = linked?.own;
  linked = null;
  if (own) ask(view, { does: "read", ...own, isOwn: true });
  else readWall(view);
}

function readOwn(view) {
  view.again = () => readOwn(view);
  if (view.does || !view.wall) return;
  view.again = null;
  ask(view, { does: "read", text: view.wall.get("text"), isOwn: true });
}

/** What the wall shows and changes now: what is under way ends first. */
function readWall(view) {
  view.again = () => readWall(view);
  if (view.does || !view.wall) return;
  view.again = null;
  const { wall } = view;
  wall.set("problem", "");
  if (wall.get("answer").key === keyOf(wall)) return;
  ask(view, { does: "read", text: textOf(wall), changes: wall.get("changes"), key: keyOf(wall) });
}

/** What each head does to the answer, for a text that has no stored runs: it becomes the reader's own. */
function measure(view) {
  if (!view.does && view.wall) ask(view, { does: "measure", text: textOf(view.wall), isOwn: true });
}

function showMeasured(view, told) {
  showRead(view, told);
  view.wall.set("colour", EFFECT);
}

function showInWall(view, { pieces, weights, mapped, next, effects }) {
  const { wall, asked } = view;
  const own = () => {
    wall.set("changes", asked.changes ?? {});
    show(wall, pieces.slice(0, mapped), weights, asked.text, effects);
  };
  if (asked.isOwn) quietly(view, own);
  const shares = (name) => next.map((row) => row[name]);
  const told = { tokens: shares("piece"), was: shares("was"), now: shares("is") };
  const count = wall.get("blocks") * wall.get("heads");
  const key = asked.key ?? keyOf(wall);
  const answer = { key, ...told, weights: triangles(weights, mapped, count) };
  quietly(view, () => wall.set({ answer, problem: "" }));
}

/** Set what is not to be read. */
function quietly(view, sets) {
  const [was, again] = [view.does, view.again];
  view.does = "show";
  sets();
  Object.assign(view, { does: was, again });
}

function write(view) {
  if (view.does || !view.canWrite) return;
  const number = (name) => Number(view.part(name).value);
  ask(view, {
    does: "write",
    count: number("count"),
    temperature: number("temperature"),
    top: number("top"),
  });
}

function showRead(view, told) {
  const { part } = view;
  const { pieces, next, isChanged } = told;
  busy(view, "");
  writable(view, true);
  const words = [`Read: ${pieces.length} symbols.`, halvesInWords(pieces), view.note];
  say(view, words.filter(Boolean).join(" "));
  part("written").textContent = "";
  if (view.wall) showInWall(view, told);
  view.again?.();
  if (view.wall) return;
  part("next").replaceChildren(...next.map((row) => nextRow(row, isChanged)));
  part("was").hidden = !isChanged;
  part("answer").hidden = false;
  positions(part("position"), pieces);
}

// Spaces and control characters are drawn, since a row would otherwise have an empty name.
function inSigns(piece) {
  const drawn = (one) =>
    String.fromCodePoint(one === "\x7f" ? 0x2421 : 0x2400 + one.codePointAt(0));
  return piece
    .replaceAll("\n", "↵")
    .replaceAll(" ", "␣")
    .replace(/[^\P{Cc}\x80-\x9f]/gu, drawn);
}

function nextRow({ piece, was, is }, isChanged) {
  const shown = create("th", { scope: "row" }, create("bdi", inSigns(piece)));
  const cells = isChanged ? [was, is] : [is];
  return create("tr", shown, ...cells.map((share) => create("td", percent(share))));
}

function positions(select, pieces) {
  const chosen = Math.min(Number(select.value), pieces.length - 1);
  select.replaceChildren(
    ...pieces.map((piece, i) => create("option", { value: i }, `${i}: ${piece}`)),
  );
  select.value = chosen;
}

function showWritten(view, { text, isLast, isEnd }) {
  view.part("written").textContent = text;
  if (!isLast) return;
  busy(view, "");
  const whole = text.replace(/\ufffd+$/, "");
  const words = isEnd ? "Here the model ends its text." : "Written.";
  say(view, whole === text ? words : `${words} ${HALF_WRITTEN}`);
  if (view.wall && whole) view.wall.set("text", textOf(view.wall) + whole); // and it has maps
}

for (const place of document.querySelectorAll(".attn-language")) begin(place);
