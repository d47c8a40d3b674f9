// Two trained models copy what the reader types: through one vector, and with attention.

import { arcsLane } from "../shared/arcs.js";
import { forward, unpack } from "../shared/bahdanau.js";
import { beginView, create, createLive, follow, named, publish, series } from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { momentOf, showMoment, Transport, tellMoment } from "../shared/player.js";
import { encodeText, typingBox } from "../shared/typing.js";

const NAMES = { one_vector: "One vector", attention: "Attention" };
const ALL = { at: null }; // another text is shown whole at first

/** What both models write, from the traits. */
function writersOf(model) {
  const special = model.get("special");
  const source = [...model.get("symbols")];
  const [one_vector, attention] = ["beside", "weights"].map((name) =>
    unpack(model.get(name), model.get("layout_of_weights")),
  );
  const written = (arrays, ids, fixed) => {
    const steps = forward(arrays, special, ids, { fixed, longest: ids.length + 2 });
    const kept = steps.filter(({ symbol }) => symbol >= special.first_symbol);
    return {
      target: kept.map(({ symbol }) => source[symbol - special.first_symbol]),
      weights: kept.map(({ weights }) => weights),
      chances: kept.map(({ probabilities, symbol }) => probabilities[symbol]),
      size: steps[0].context.length,
      fixed,
    };
  };
  const write = ({ characters, ids }) => ({
    one_vector: { source: characters, right: characters, ...written(one_vector, ids, true) },
    attention: { source: characters, right: characters, ...written(attention, ids, false) },
  });
  return { special, source, write };
}

/** Why a text is not copied, or "". */
function refuse({ characters, unknown }, { source }, longest) {
  const known = `from ${source[0]} to ${source.at(-1)}`;
  if (!characters.length) return `Type up to ${longest} letters, ${known}.`;
  const strange = [...new Set(unknown.map((j) => characters[j]))];
  if (strange.length)
    return `The models know letters ${known}, and not ${series(strange.map(named))}.`;
  if (characters.length <= longest) return "";
  return `That is ${characters.length} letters, and ${longest} are read at most.`;
}

/** One model's letters, its arcs and the words below them. */
function laneOf(name, told) {
  const letters = (tokens, side, wrong = () => false) =>
    tokens.map((token, n) => {
      const node = create("bdi", { className: `attn-token attn-${side}`, text: token });
      node.classList.toggle("attn-mistake", wrong(token, n));
      return node;
    });
  const nodes = {
    heads: letters(told.source, "source"),
    sides: letters(told.target, "target", (token, n) => token !== told.right[n]),
  };
  const label = `${NAMES[name]}: what was read, what was written, and the weights between them`;
  const { node, lane } = arcsLane(told, nodes, label);
  return { node, told, lane: { ...lane, fixed: told.fixed } };
}

/** What a model has written in the end. */
function outcome({ target, right }) {
  const count = Math.max(target.length, right.length);
  const wrong = Array.from({ length: count }, (_, n) => target[n] !== right[n]).filter(Boolean);
  const how = wrong.length ? `${wrong.length} of ${count} wrong` : "all right";
  return [`Written: ${named(target.join(""))}, ${how}.`];
}

function render({ model, el }) {
  const { frame, life } = beginView(el, "player", "Player");
  const writers = writersOf(model);
  const said = createLive("p", "attn-readout");
  const views = Object.entries(NAMES).map(([name, text]) => {
    const place = create("div");
    const words = createLive("p", "attn-readout");
    const title = create("div", { className: "attn-title", text });
    return { name, place, words, node: create("div", {}, title, place, words), shown: null };
  });
  const transport = new Transport(life, model, "letter", (time) => {
    for (const view of views) showView(view, time);
  });
  const lanes = create("div", { className: "attn-lanes" }, ...views.map(({ node }) => node));
  const reset = resetFor(life, model, ["text", "at"]);
  const bar = create("div", { className: "attn-bar" }, transport.node, reset);
  frame.append(...typingBox(life, model, "Letters to copy", ALL), bar, said, lanes);

  function read() {
    const given = encodeText(model.get("text"), writers);
    const refusal = refuse(given, writers, model.get("longest"));
    const written = refusal ? {} : writers.write(given);
    const result = Object.entries(written).map(([name, { target }]) => [name, target.join("")]);
    publish(model, "result", Object.fromEntries(result));
    said.textContent = refusal;
    [said.hidden, lanes.hidden] = [!refusal, Boolean(refusal)];
    for (const view of views) {
      view.shown = refusal ? null : laneOf(view.name, written[view.name]);
      view.place.replaceChildren(...(refusal ? [] : [view.shown.node]));
      view.said = null;
    }
    transport.refresh(Math.max(0, ...Object.values(written).map(({ target }) => target.length)));
  }

  follow(life, model, ["text"], read);
  read();
  return () => life.abort();
}

function showView(view, time) {
  if (!view.shown) return;
  showMoment(view.shown.lane, time);
  const moment = time === null ? null : momentOf(time);
  const said = moment ? `${moment.i} ${moment.move}` : "all";
  if (said === view.said) return;
  view.said = said;
  const { told } = view.shown;
  view.words.replaceChildren(...(moment ? tellMoment(told, moment, "letter") : outcome(told)));
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const writers = writersOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])];
  const rows = texts.map((text) => {
    const written = Object.values(writers.write(encodeText(text, writers)));
    return [text, ...written.map(({ target }) => target.join(""))];
  });
  return [["Read", ...Object.values(NAMES)], ...rows];
}

export default { render };
