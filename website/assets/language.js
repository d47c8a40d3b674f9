// The language model in the page: opened by the reader, from the own disk or from this site.
//
// The build puts a `.attn-language` wherever a page is to have it (widgets/language.py), all of it
// hidden but the ways in. The model runs in a worker of its own, language_worker.js. If the page has
// a wall of maps, the model is operated there: it reads what the wall shows, with what is changed.
import { create, percent } from "../../attn_course/views/widgets/shared/common.js";
import { keyOf, textOf } from "../../attn_course/views/widgets/wall/changing.js";
import { show, triangles } from "../../attn_course/views/widgets/wall/reading.js";
import { linkTo, restore } from "./language_link.js";

const STORE = "attention-measured.model"; // the name of what the browser keeps
const FROM_A_FOLDER =
  "A page that is opened from a folder may not start what the model runs in. Where this book has a web address, it can.";
const IN_A_FRAME =
  "This page is shown inside another one, in a frame that lets nothing be started or stored (it is sandboxed without allow-same-origin). Open the page by itself.";
const NO_WORKER = "What the model runs in could not be started. Please load this page anew.";
const BLOCKED =
  "What the model runs in was blocked by the policy of this page, or by that of the site that shows it.";

const walls = []; // the models of the walls on this page
let linked = null; // what the address asks of the first of them

document.addEventListener("attn-start", ({ target, detail }) => {
  if (target.dataset.widget !== "HeadWall") return;
  walls.push(detail);
  if (walls.length === 1) obey(detail);
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
  part("link").addEventListener("click", () => walls.length && copyLink(view));
  part("text").addEventListener("input", () => writable(view, false));
  writable(view, false);
  const lacking = location.protocol === "file:" ? FROM_A_FOLDER : origin === "null" && IN_A_FRAME;
  part("ways").disabled = Boolean(lacking);
  if (lacking) say(view, lacking);
  else offer(view);
}

const addressOf = ({ dataset }) => new URL(dataset.file, location.href).href;

// ---- what the browser keeps

/** What is kept of the site's file; nothing where there is no storage. */
async function kept(place) {
  return place.dataset.file && (await globalThis.caches?.match(addressOf(place)).catch(() => null));
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
  const { place } = view;
  busy(view, "load");
  if (anew) await globalThis.caches.delete(STORE);
  const file = await (await kept(place))?.blob().catch(() => null);
  if (view.does !== "load") return; // stopped in the meantime
  if (file) ask(view, { does: "open", file, isKept: true });
  else ask(view, { does: "load", address: addressOf(place), bytes: Number(place.dataset.bytes) });
}

/** The site's file, once it is here as a whole and known to be a model; where there is no room, not. */
async function keep({ place }, file) {
  try {
    const store = await globalThis.caches.open(STORE);
    await store.put(addressOf(place), new Response(file));
  } catch {
    // it is open all the same
  }
}

async function remove(view) {
  await globalThis.caches?.delete(STORE);
  say(view, "Removed from this browser.");
  offer(view);
}

// ---- the worker

/** A new worker, which replaces an old one and its model. */
function start(view) {
  view.worker?.terminate();
  view.part("form").hidden = view.part("answer").hidden = true;
  writable(view, false);
  view.worker = new Worker(view.place.dataset.worker);
  view.worker.addEventListener("message", ({ data }) => TOLD[data.kind](view, data));
  view.worker.addEventListener("error", () => notStarted(view));
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

const DOING = { open: "Opening …", load: "Loading …", write: "Writing …", read: "Reading …" };

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
  for (const name of ["load", "remove", "read"]) disable(part(name), does);
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
  if (["read", "write"].includes(view.does)) {
    view.worker.postMessage({ does: "stop" });
    return;
  }
  view.worker?.terminate();
  view.asked = null;
  fail(view, { words: "Cancelled. Nothing was kept." });
}

const TOLD = { progress, opened: ready, read: showRead, wrote: showWritten, failed: fail };

function progress({ part }, { done, whole }) {
  Object.assign(part("progress"), { max: whole, value: done });
}

/** Say what is wrong, without an answer to something else above or below it. */
function fail(view, { words }) {
  if (view.asked?.isKept && view.does === "open") return load(view, true);
  busy(view, "");
  view.part("answer").hidden = true;
  writable(view, false);
  say(view, words);
  view.wall?.set("problem", view.asked?.isOwn ? words : "");
  view.again?.();
  offer(view);
}

async function ready(view, { blocks, heads, file }) {
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
  part("answer").hidden = true;
  if (!wall.get("reads")) {
    wall.on("change:text", () => readOwn(view));
    for (const name of ["changes", "index"]) wall.on(`change:${name}`, () => readWall(view));
    wall.set("reads", true);
  }
  const own = linked?.own;
  linked = null;
  if (own) ask(view, { does: "read", ...own, isOwn: true });
  else readWall(view);
}

function readOwn(view) {
  view.again = () => readOwn(view);
  if (view.does) return;
  view.again = null;
  ask(view, { does: "read", text: view.wall.get("text"), isOwn: true });
}

/** What the wall shows and changes now: what is under way ends first. */
function readWall(view) {
  view.again = () => readWall(view);
  if (view.does || !view.worker) return;
  view.again = null;
  const { wall } = view;
  if (wall.get("answer").key === keyOf(wall)) return;
  ask(view, { does: "read", text: textOf(wall), changes: wall.get("changes"), key: keyOf(wall) });
}

function showInWall(view, { pieces, weights, mapped, next }) {
  const { wall, asked } = view;
  const shown = pieces.slice(0, mapped);
  view.does = "show"; // nothing of what is set here is to be read
  if (asked.isOwn) {
    wall.set("changes", asked.changes ?? {});
    show(wall, shown, weights, asked.text);
  }
  const shares = (name) => next.map((row) => row[name]);
  const told = { tokens: shares("piece"), was: shares("was"), now: shares("is") };
  const count = wall.get("blocks") * wall.get("heads");
  const key = asked.key ?? keyOf(wall);
  wall.set("answer", { key, ...told, weights: triangles(weights, mapped, count) });
  view.does = "";
  if (asked.isOwn) view.again = null;
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
  say(view, `Read: ${pieces.length} symbols.`);
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
  const shown = create("th", { scope: "row" }, create("bdi", { text: inSigns(piece) }));
  const cells = isChanged ? [was, is] : [is];
  return create("tr", {}, shown, ...cells.map((share) => create("td", { text: percent(share) })));
}

function positions(select, pieces) {
  const chosen = Math.min(Number(select.value), pieces.length - 1);
  select.replaceChildren(
    ...pieces.map((piece, i) => create("option", { value: i, text: `${i}: ${piece}` })),
  );
  select.value = chosen;
}

function showWritten(view, { text, isLast, isEnd }) {
  view.part("written").textContent = text;
  if (!isLast) return;
  busy(view, "");
  say(view, isEnd ? "Here the model ends its text." : "Written.");
  if (view.wall && text) view.wall.set("text", textOf(view.wall) + text); // and it has maps
}

for (const place of document.querySelectorAll(".attn-language")) begin(place);
