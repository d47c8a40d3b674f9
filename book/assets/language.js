// The language model in the page: opened by the reader, from the own disk or from this site.
//
// The build puts a `.attn-language` wherever a page is to have it (widgets/language.py), all of it
// hidden but the ways in. The model runs in a worker of its own, language_worker.js. What it reads
// is shown in the page's wall of maps as well, if there is one.
import { create, percent } from "../../attn_course/views/widgets/shared/common.js";
import { show } from "../../attn_course/views/widgets/wall/reading.js";

const STORE = "attention-measured.model"; // as in language_worker.js
const COUNT = 12; // symbols that are written at a time
const FROM_A_FOLDER =
  "A page that is opened from a folder may not start what the model runs in. Where this book has a web address, it can.";
const NO_WORKER = "What the model runs in could not be started. Please load this page anew.";

const walls = []; // the models of the walls on this page

document.addEventListener("attn-start", ({ target, detail }) => {
  if (target.dataset.widget === "HeadWall") walls.push(detail);
});

function begin(place) {
  const part = (name) => place.querySelector(`[data-part="${name}"]`);
  const view = { place, part, worker: null, sizes: {}, load: part("load").textContent };
  part("ways").disabled = false;
  part("file").addEventListener("change", ({ target }) => {
    if (target.files[0]) ask(opened(view), { does: "open", file: target.files[0] });
    target.value = ""; // the same file may be chosen again
  });
  part("load").addEventListener("click", () => {
    const { bytes } = place.dataset;
    ask(opened(view), { does: "load", address: addressOf(place), bytes: Number(bytes) });
  });
  part("cancel").addEventListener("click", () => cancel(view));
  part("remove").addEventListener("click", () => remove(view));
  part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    read(view);
  });
  part("write").addEventListener("click", () => ask(view, { does: "write", count: COUNT }));
  part("text").addEventListener("input", () => (part("write").disabled = true));
  offer(view);
  if (location.protocol !== "file:") return;
  part("ways").disabled = true;
  say(view, FROM_A_FOLDER);
}

/** Say what is stored, and offer to remove it. */
async function offer({ place, part, load }) {
  const kept =
    place.dataset.file && (await globalThis.caches?.match(addressOf(place)).catch(noStore));
  part("remove").hidden = !kept;
  part("load").textContent = kept ? "Open what this browser has kept" : load;
}

const noStore = () => null;
const addressOf = ({ dataset }) => new URL(dataset.file, location.href).href;

// ---- the worker

/** The view with a new worker, which replaces an old one and its model. */
function opened(view) {
  view.worker?.terminate();
  view.worker = new Worker(view.place.dataset.worker);
  view.worker.addEventListener("message", ({ data }) => TOLD[data.kind](view, data));
  view.worker.addEventListener("error", () => fail(view, { words: NO_WORKER }));
  view.part("form").hidden = view.part("answer").hidden = view.part("write").disabled = true;
  return view;
}

function ask(view, asked) {
  busy(view, asked.does);
  view.worker.postMessage(asked);
}

/** While something is under way, nothing else can be asked, except to stop. */
function busy({ part }, does) {
  part("cancel").hidden = !does;
  part("progress").hidden = !does;
  part("progress").removeAttribute("value");
  part("ways").disabled = part("form").firstElementChild.disabled = Boolean(does);
  part("cancel").dataset.does = does;
  if (does)
    say(
      { part },
      { open: "Opening …", load: "Loading …", write: "Writing …" }[does] ?? "Reading …",
    );
}

function say({ part }, words) {
  part("said").textContent = words;
}

/** A model that is only half there is dropped with its worker; a text is left at its next symbol. */
function cancel(view) {
  if (["read", "write"].includes(view.part("cancel").dataset.does)) {
    view.worker.postMessage({ does: "stop" });
    return;
  }
  view.worker.terminate();
  fail(view, { words: "Cancelled. Nothing was kept." });
}

async function remove(view) {
  await globalThis.caches?.delete(STORE);
  say(view, "Removed from this browser.");
  offer(view);
}

const TOLD = { progress, opened: ready, read: showRead, wrote: showWritten, failed: fail };

function progress({ part }, { done, whole }) {
  Object.assign(part("progress"), { max: whole, value: done });
}

function fail(view, { words }) {
  busy(view, "");
  say(view, words);
  offer(view);
}

function ready(view, { blocks, heads }) {
  busy(view, "");
  view.sizes = { blocks, heads };
  view.part("form").hidden = false;
  view.part("from").max = blocks - 1;
  say(
    view,
    `The model is open: ${blocks} blocks of ${heads} heads. It runs here, and nothing that you type leaves this page.`,
  );
  offer(view);
  read(view);
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
  if (wrong) return say(view, `A head is named as 18·6 or 18.6, block first; not ${wrong}.`);
  const swap = value("other") && {
    text: value("other"),
    position: Number(value("position")),
    from: Number(value("from")),
  };
  ask(view, { does: "read", text: value("text"), heads, swap });
}

function showRead(view, { pieces, weights, mapped, next, isChanged }) {
  const { part } = view;
  busy(view, "");
  part("write").disabled = false;
  say(view, `Read: ${pieces.length} symbols.`);
  part("written").textContent = "";
  part("next").replaceChildren(...next.map((row) => nextRow(row, isChanged)));
  part("was").hidden = !isChanged;
  part("answer").hidden = false;
  positions(part("position"), pieces);
  const fits = (wall) =>
    Object.entries(view.sizes).every(([name, size]) => wall.get(name) === size);
  for (const wall of walls.filter(fits)) show(wall, pieces.slice(0, mapped), weights);
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
}

for (const place of document.querySelectorAll(".attn-language")) begin(place);
