// What stands around the wall where the model can be operated: the sentence in tiles, a second one
// whose tokens are dragged onto it, what follows in bars, and the heads of the chosen block.

import { capital, create, createButton, createLive, percent } from "../shared/common.js";
import { changed, experimentOf, isSilent, PARTS, runOf, toggled } from "./changing.js";
import { chosenSentence } from "./reading.js";
import { halvesInWords, pieceShown } from "./wording.js";

const SHOWN = 6; // bars

/** All that a reader operates the model with, and `show(answer)`. */
export function operatingView(view) {
  const [tries, tiles] = [experimentsView(view), tilesView(view)];
  const [answer, heads] = [answerView(), headsView(view)];
  const all = [tries, tiles, answer, heads];
  view.follow(["chosen"], heads.show);
  function appear(is) {
    for (const { node } of all) node.hidden = !is;
    tries.node.hidden = !view.get("experiments").length;
  }
  function show(found) {
    for (const part of [tries, tiles, heads]) part.show(found);
    answer.show(found, Object.keys(view.get("changes")).length > 0, lackOf(view));
  }
  const [above, beside, below] = [tiles.node, answer.node, [heads.node, tries.node]];
  return { above, beside, below, appear, show };
}

/** One click for each experiment, and what to watch in the one that is on. */
function experimentsView(view) {
  const watch = createLive("p.attn-hint.attn-wall-watch");
  const buttons = view
    .get("experiments")
    .map((one) => view.button(one.name, () => view.share(begun(view, one))));
  const label = create("span.attn-hint", "Experiments:");
  const group = { role: "group", "aria-label": "Experiments" };
  const bar = create("div.attn-bar", group, label, ...buttons);
  function show() {
    const on = experimentOf(view);
    buttons.forEach((button, k) =>
      button.setAttribute("aria-pressed", view.get("experiments")[k] === on),
    );
    watch.textContent = on?.watch ?? "";
  }
  const node = create("div.attn-wall-pressed", bar, watch);
  node.hidden = !buttons.length;
  return { node, show };
}

function begun(model, { sentence, changes, colour }) {
  const index = model.get("sentences").findIndex(({ name }) => name === sentence);
  return { index, changes, colour, selected: {} };
}

/** The sentence in tiles with the answer behind it, and below it the second one. */
function tilesView(view) {
  const own = create("p.attn-wall-tiles");
  const group = { role: "group", "aria-label": "Tokens of the second sentence" };
  const other = create("p.attn-wall-tiles", group);
  const text = "Press what is framed in this sentence, or drag it onto a token above:";
  const label = create("p.attn-hint", text);
  const how = exchangeControls(view);
  const node = create("div", own, label, other, how.node);

  function show(answer) {
    const { pieces } = chosenSentence(view);
    const tiles = pieces.map((piece, i) => ownTile(view, piece, i));
    own.replaceChildren(...tiles, ...(answer ? [nextTile(answer)] : []));
    const run = runOf(view);
    label.hidden = other.hidden = !run;
    const focused = [...other.children].indexOf(document.activeElement);
    const others = run?.other.map((piece, i) => otherTile(view, run, piece, i)) ?? [];
    other.replaceChildren(...others);
    other.children[focused]?.focus({ preventScroll: true });
    how.show();
  }
  return { node, show };
}

function ownTile(model, piece, i) {
  const { exchange, hidden } = model.get("changes");
  const tile = tileOf(piece);
  tile.classList.toggle("attn-is-asking", i === chosenSentence(model).pieces.length - 1);
  tile.classList.toggle("attn-is-exchanged", exchange?.position === i);
  tile.classList.toggle("attn-is-hidden", hidden?.position === i);
  tile.addEventListener("dragover", (event) => event.preventDefault());
  tile.addEventListener("drop", (event) => {
    const [, source] = DRAGGED.exec(event.dataTransfer.getData("text/plain")) ?? [];
    if (source === undefined) return;
    event.preventDefault();
    exchangeAt(model, Number(source), i);
  });
  return tile;
}

const DRAGGED = /^attn-token (\d+)$/;

/** A token of the second sentence; what is the same in both is no button. */
function otherTile(view, { other, places }, piece, i) {
  if (!places.includes(i)) return tileOf(piece);
  const { exchange } = view.get("changes");
  const isOn = exchange?.source === i && exchange.text === other.join("");
  const button = createButton("", "attn-wall-tile");
  button.append(create("bdi", pieceShown(piece)));
  button.setAttribute("draggable", "true");
  button.setAttribute("aria-pressed", isOn);
  button.addEventListener("dragstart", ({ dataTransfer }) =>
    dataTransfer.setData("text/plain", `attn-token ${i}`),
  );
  button.addEventListener("click", () =>
    isOn ? view.share(changed(view, { exchange: null })) : exchangeAt(view, i, i),
  );
  return button;
}

function exchangeAt(view, source, position) {
  const text = runOf(view).other.join("");
  const { part = "values", from = 0 } = view.get("changes").exchange ?? {};
  view.share(changed(view, { exchange: { text, source, position, part, from } }));
}

function tileOf(piece) {
  const word = create("bdi", pieceShown(piece));
  return create("span.attn-wall-tile", { translate: "no" }, word);
}

function nextTile({ tokens, now }) {
  const tile = tileOf(tokens[likeliest(now)]);
  tile.classList.add("attn-is-next");
  return tile;
}

const likeliest = (shares) => shares.indexOf(Math.max(...shares));

/** What is exchanged, and from which block on. */
function exchangeControls(view) {
  const part = create(
    "select.attn-select",
    ...PARTS.map((name) => create("option", { value: name }, NAMES[name])),
  );
  const from = create("input", { type: "range" });
  Object.assign(from, { min: 0, max: view.get("blocks") - 1 });
  from.setAttribute("aria-label", "From block");
  const number = create("span.attn-number", { "aria-hidden": "true" });
  const fields = [
    create("label.attn-field", "Exchange its", part),
    create("label.attn-field", "from block", from, number),
  ];
  const node = create("div.attn-bar", ...fields);
  const moved = () => {
    const { exchange, hidden } = view.get("changes");
    const at = { from: Number(from.value) };
    if (exchange) view.share(changed(view, { exchange: { ...exchange, ...at, part: part.value } }));
    else if (hidden) view.share(changed(view, { hidden: { ...hidden, ...at } }));
  };
  view.listen(part, "change", moved);
  view.listen(from, "input", moved);
  function show() {
    const { exchange, hidden } = view.get("changes");
    node.hidden = !exchange && !hidden;
    fields[0].hidden = !exchange;
    part.selectedIndex = PARTS.indexOf(exchange?.part ?? "values");
    from.value = (exchange ?? hidden)?.from ?? 0;
    number.textContent = from.value;
  }
  return { node, show };
}

const NAMES = { keys: "keys", values: "values", both: "keys and values" };

/** The likeliest tokens to follow: a bar each, and a dashed one for what it was unchanged. */
function answerView() {
  const title = create("p.attn-wall-caption", "Next token");
  const list = create("ol.attn-wall-bars");
  const said = createLive("p.attn-hint");
  const node = create("div.attn-wall-answer", title, list, said);

  function show(answer, isChanged, lack) {
    if (!answer) {
      list.replaceChildren();
      said.textContent = lack;
      return;
    }
    const { tokens, was, now } = answer;
    const ranked = tokens.map((_, k) => k).sort((a, b) => now[b] - now[a]);
    list.replaceChildren(...ranked.slice(0, SHOWN).map((k) => shareBar(tokens[k], was[k], now[k])));
    const [before, after] = [likeliest(was), likeliest(now)];
    const words = isChanged ? [inWords(answer, before, after)] : [];
    said.textContent = [...words, halvesInWords(tokens)].join(" ").trim();
  }
  return { node, show };
}

/** Why there is no answer. */
const lackOf = (model) => model.get("problem") || (model.get("reads") ? READING : NOT_STORED);

const READING = "The model is reading …";
const NOT_STORED =
  "Stored answers know one change at a time: undo one, or load the model, which computes them all.";

function shareBar(token, was, now) {
  const track = create("span.attn-wall-track", { "aria-hidden": "true" });
  const bar = create("i");
  bar.style.setProperty("--attn-share", now);
  const old = create("u");
  old.style.setProperty("--attn-share", was);
  old.hidden = was === now;
  track.append(bar, old);
  const name = create("bdi", { translate: "no" }, pieceShown(token));
  return create("li", name, track, create("span", percent(now)));
}

function inWords({ tokens, was, now }, before, after) {
  const named = (k) => `“${pieceShown(tokens[k])}”`;
  const fall = `${named(before)} goes from ${percent(was[before])} to ${percent(now[before])}.`;
  return before === after ? fall : `${fall} The answer is ${named(after)}.`;
}

/** The heads of the chosen block: press one to silence it. And all that is changed, to be undone. */
function headsView(view) {
  const label = create("span.attn-hint");
  const buttons = Array.from({ length: view.get("heads") }, (_, head) =>
    view.button(String(head), () => view.share(toggled(view, [view.get("chosen")[0], head]))),
  );
  const undo = view.button("Undo all", () => view.share({ changes: {} }), "attn-quiet");
  const words = create("span.attn-hint");
  const heads = create("div.attn-bar.attn-wall-heads", label, ...buttons);
  const below = create("div.attn-bar", words, undo);
  const row = create("div.attn-wall-pressed", heads, below);
  function show() {
    const [block] = view.get("chosen");
    label.textContent = `Silence a head of block ${block}:`;
    buttons.forEach((button, head) => {
      button.setAttribute("aria-pressed", isSilent(view, [block, head]));
      button.setAttribute("aria-label", `Silence head ${head} of block ${block}`);
    });
    words.textContent = changesInWords(view.get("changes"));
    undo.setAttribute("aria-disabled", !words.textContent);
  }
  return { node: row, show };
}

function changesInWords({ silenced = [], exchange, hidden, unkeyed }) {
  const heads = silenced.map((head) => head.join("·")).join(", ");
  const said = [
    heads && `Silent: ${heads}.`,
    exchange && `${NAMES[exchange.part]} exchanged from block ${exchange.from} on.`,
    hidden && `Position ${hidden.position} hidden from block ${hidden.from} on.`,
    unkeyed && `${unkeyed.join("·")} taken out of later keys.`,
  ];
  return said.filter(Boolean).map(capital).join(" ");
}
