// Start a text: a language model that was trained while the page was built goes on with it, here.

import { unpackModel } from "../shared/bahdanau.js";
import {
  beginView,
  create,
  createButton,
  createLive,
  named,
  percent,
  series,
  verbatim,
} from "../shared/common.js";
import { resetFor, sliderFor, switchFor } from "../shared/controls.js";
import { typingBox } from "../shared/typing.js";
import { randomFrom } from "../shared/uniform.js";
import { drawn, sharesOf } from "../shared/weighing.js";
import { nextToken, tokensIn, tokensOf } from "./gpt.js";

const SHOWN = ["text", "written", "temperature", "top", "seed"];
const LISTED = 6; // tokens
const MOST = 100; // tokens that a press of *Write* writes
const PACE = 80; // milliseconds from one to the next
const TOPS = [1, 5, 40, 0].map((top) => [top, top ? String(top) : "All"]);
const WARMTH = { min: 0, max: 2, step: 0.1 };

/** The trained model and its tokens, from the traits. */
function writerOf(model) {
  const view = model.get("merges");
  const pairs = Array.from({ length: view.byteLength / 4 }, (_, rank) =>
    [0, 2].map((place) => view.getUint16(4 * rank + place, true)),
  );
  const alphabet = [...model.get("alphabet")];
  const arrays = unpackModel(model);
  return {
    tokens: tokensOf(alphabet, pairs),
    split: (text) => tokensIn(text, alphabet, pairs),
    strange: (text) => [...new Set(text)].filter((each) => !alphabet.includes(each)),
    next: nextToken({ arrays, heads: model.get("heads") }),
  };
}

/** A text and what was written after it, with the probabilities of the next token. */
function stateOf(model, writer, text, written) {
  const [given, longest] = [writer.split(text), model.get("longest")];
  const all = [...given, ...written];
  const state = { given, written, all, cut: Math.max(all.length - longest, 0), likeliest: [] };
  if (!all.length) return state;
  const logits = writer.next(all.slice(-longest));
  const shares = sharesOf(logits, model.get("temperature"), model.get("top"));
  const ranked = [...logits.keys()].sort((a, b) => logits[b] - logits[a]);
  return { ...state, shares, likeliest: ranked.slice(0, LISTED) };
}

/** What was written, and so many tokens more. The draws depend on the seed and the place alone. */
function goneOn(model, writer, text, before, count) {
  const written = [...before];
  const next = randomFrom(model.get("seed"));
  for (let place = 0; place < before.length + count; place++) {
    const chance = next();
    if (place < before.length) continue;
    const { shares } = stateOf(model, writer, text, written);
    if (!shares) break; // there is nothing to go on from
    written.push(drawn(shares, chance));
  }
  return written;
}

function render({ model, el }) {
  const view = beginView({ model, el }, "writer", "A language model that writes");
  const { frame } = view;
  const writer = writerOf(view);
  const anew = { written: [] };
  const typing = typingBox(view, "Text to go on with", anew, "textarea");
  const write = (count) => {
    const [text, before] = ["text", "written"].map((name) => view.get(name));
    view.share({ written: goneOn(view, writer, text, before, count) });
  };
  const take = (token) => view.share({ written: [...view.get("written"), token] });
  const buttons = [writeButton(view, write), view.button("One token", () => write(1))];
  const again = view.button("Again from the start", () => {
    view.share({ ...anew, seed: view.get("seed") + 1 });
  });
  const parts = { buttons, ...placesOf(), rows: rowsOf(view, take) };
  const bars = [
    [
      sliderFor(view, "temperature", "Temperature", WARMTH, (value) => value.toFixed(1)),
      create(
        "div.attn-field",
        "From the likeliest",
        switchFor(view, "top", "Draw from so many of the likeliest tokens", TOPS),
      ),
    ],
    [...buttons, again, resetFor(view, SHOWN)],
  ].map((controls) => create("div.attn-bar", ...controls));
  const next = create("div.attn-next", ...parts.rows.map(({ node }) => node));
  frame.append(...typing, ...bars, parts.story, parts.said, parts.heard, next, parts.others);

  let from = 0; // what was written since the last press is read out
  const press = () => (from = view.get("written").length);
  frame.addEventListener("click", press, { capture: true, signal: view.signal });

  function update() {
    const text = view.get("text");
    const state = stateOf(view, writer, text, view.get("written"));
    const strange = writer.strange(text);
    show(parts, state, writer, strange);
    const news = textOf(state.written.slice(from), writer.tokens);
    parts.heard.textContent = news && `Written: ${news}`;
    view.publish("result", resultOf(state, writer, strange));
  }

  view.follow(SHOWN, update);
  update();
  return () => view.end();
}

/** A button that writes until it is pressed again, until there is enough, or until something else
 *  has changed the text. Where motion is unwelcome all is written at once. */
function writeButton(view, write) {
  const button = createButton("Write", "attn-primary");
  const now = () => JSON.stringify(["text", "seed", "written"].map((name) => view.get(name)));
  let [timer, left, last] = [0, 0, ""];
  const halt = () => {
    clearTimeout(timer);
    timer = 0;
    button.textContent = "Write";
  };
  const step = () => {
    if (now() !== last) return halt();
    write(1);
    [left, last] = [left - 1, now()];
    if (!left) return halt();
    timer = setTimeout(step, PACE);
  };
  view.listen(button, "click", () => {
    if (timer) return halt();
    if (button.getAttribute("aria-disabled") === "true") return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return write(MOST);
    [left, last] = [MOST, now()];
    button.textContent = "Stop";
    step();
  });
  view.signal.addEventListener("abort", halt);
  return button;
}

function placesOf() {
  const attributes = { tabindex: "0", role: "group", "aria-label": "The text so far" };
  return {
    story: verbatim(create("div.attn-story", attributes)),
    said: createLive("p.attn-readout"),
    heard: createLive("p.attn-aloud"),
    others: create("p.attn-hint"),
  };
}

/** The likeliest tokens, with their probabilities as bars: a press takes one. */
function rowsOf(view, take) {
  return Array.from({ length: LISTED }, () => {
    const [name, share] = [create("bdi"), create("span.attn-share")];
    const bar = create("span.attn-amount");
    const aloud = create("span.attn-aloud");
    const node = create("button.attn-choice", { type: "button" }, name, aloud, bar, share);
    let token = 0;
    view.listen(node, "click", () => take(token));
    const show = (one, tokens, probability) => {
      token = one;
      name.textContent = inSigns(tokens[token]);
      share.textContent = percent(probability);
      bar.style.setProperty("--attn-share", probability);
      const words = inWords(tokens[token]);
      aloud.textContent = words === tokens[token] ? "" : ` (${words}) `; // signs have no name
    };
    return { node, show };
  });
}

function show({ buttons, story, said, rows, others }, state, { tokens }, strange) {
  const { given, all, cut, shares, likeliest } = state;
  const pieces = all.map((token, place) => {
    const look = place < cut ? "attn-forgotten" : place && place === cut ? "attn-first-read" : "";
    return create("span", { class: look }, tokens[token].replaceAll("\n", "⏎\n"));
  });
  story.replaceChildren(
    create("span", ...pieces.slice(0, given.length)),
    create("ins.attn-written", ...pieces.slice(given.length)),
  );
  story.scrollTop = story.scrollHeight;
  said.textContent = inSentences(state, strange);
  for (const button of buttons) button.setAttribute("aria-disabled", !all.length);
  rows.forEach(({ node, show }, rank) => {
    node.hidden = rank >= likeliest.length;
    if (!node.hidden) show(likeliest[rank], tokens, shares[likeliest[rank]]);
  });
  const rest = shares?.reduce(
    (sum, one, token) => (likeliest.includes(token) ? sum : sum + one),
    0,
  );
  const count = tokens.length - likeliest.length;
  others.textContent = shares && count ? `All ${count} others together: ${percent(rest)}` : "";
}

function resultOf({ all, shares, likeliest }, { tokens }, unknown) {
  if (!all.length) return {};
  const next = likeliest.map((token) => [tokens[token], shares[token]]);
  return { text: textOf(all, tokens), unknown, next };
}

// ---- in words

const textOf = (some, tokens) => some.map((token) => tokens[token]).join("");
const inSigns = (text) => text.replaceAll("\n", "⏎").replaceAll(" ", "␣");
const inWords = (text) =>
  text.replace(/[ \n]/g, (sign) => (sign === " " ? " space " : " line break ")).trim();

function inSentences({ given, written, all, cut }, strange) {
  const [it, were] = strange.length > 1 ? ["they", "were"] : ["it", "was"];
  const missing = `There is no token for ${series(strange.map(named))}: ${it} ${were} left out.`;
  const words = strange.length ? [missing] : [];
  if (!all.length) words.push("Type how a text begins: the model needs a token to go on from.");
  else words.push(`${counted(given.length)} given, ${written.length} written.`);
  if (cut) words.push(`The model reads the last ${all.length - cut}, after the upright line.`);
  return words.join(" ");
}

const counted = (count) => `${count} ${count === 1 ? "token" : "tokens"}`;

/** What it writes after each text, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const writer = writerOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])];
  const rows = texts.map((text) => {
    const written = goneOn(model, writer, text, [], MOST / 4);
    return [inSigns(text) || "nothing", inSigns(textOf(written, writer.tokens)) || "nothing"];
  });
  const warmth = model.get("temperature").toFixed(1);
  return [["Text", `What the model writes after it, at temperature ${warmth}`], ...rows];
}

export default { render };
