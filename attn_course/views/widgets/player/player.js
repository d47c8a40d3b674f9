// Two trained models copy what the reader types: through one vector, and with attention.

import { arcsLane } from "../shared/arcs.js";
import { forward, unpackModel } from "../shared/bahdanau.js";
import { beginView, create, createLive, named, series } from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { showMoment, Transport, tellMoment } from "../shared/player.js";
import { encodeText, typingBox } from "../shared/typing.js";

const NAMES = ["One vector", "Attention"];
const ALL = { at: null }; // another text is shown whole at first

/** What both models make of a text, from the traits. */
function writersOf(model) {
  const special = model.get("special");
  const source = [...model.get("symbols")];
  const arrays = ["beside", "weights"].map((name) => unpackModel(model, name));
  const write = ({ characters, ids }) =>
    arrays.map((of, n) => {
      const options = { fixed: n === 0, longest: ids.length + 2 };
      const steps = forward(of, special, ids, options);
      const kept = steps.filter(({ symbol }) => symbol >= special.first_symbol);
      return {
        source: characters,
        right: characters,
        target: kept.map(({ symbol }) => source[symbol - special.first_symbol]),
        weights: kept.map(({ weights }) => weights),
        chances: kept.map(({ probabilities, symbol }) => probabilities[symbol]),
        size: steps[0].context.length,
        fixed: options.fixed,
      };
    });
  return { special, source, write };
}

/** Why a text is not copied, or "". */
function refuse({ characters, unknown }, { source }, longest) {
  const known = `from ${source[0]} to ${source.at(-1)}`;
  if (!characters.length) return `Type up to ${longest} letters, ${known}.`;
  const strange = series([...new Set(unknown.map((j) => named(characters[j])))]);
  if (strange) return `The models know letters ${known}, and not ${strange}.`;
  const count = characters.length;
  return count > longest ? `That is ${count} letters, and ${longest} are read at most.` : "";
}

/** One model's letters and its arcs, with room for so many letters in both lines. */
function laneOf(name, told, most) {
  const letter = (side, right) => (text, n) => {
    const wrong = right && text !== right[n] ? " attn-mistake" : "";
    return create("bdi", { class: `attn-token attn-${side}${wrong}` }, text);
  };
  const nodes = {
    heads: told.source.map(letter("source")),
    sides: told.target.map(letter("target", told.right)),
  };
  const { node, lane } = arcsLane(told, nodes, `${name}: what it read and wrote`, most);
  return { node, told, lane: { ...lane, fixed: told.fixed } };
}

/** What a model has written in the end. */
function outcome({ target, right }) {
  const places = target.length > right.length ? target : right;
  const wrong = places.filter((_, n) => target[n] !== right[n]).length;
  const how = wrong ? `${wrong} of ${places.length} wrong` : "all right";
  return [`Written: ${named(target.join(""))}, ${how}.`];
}

function render({ model, el }) {
  const view = beginView({ model, el }, "player", "Player");
  const writers = writersOf(view);
  const said = createLive("p.attn-readout");
  const views = NAMES.map((text) => {
    const [place, words] = [create("div"), createLive("p.attn-readout")];
    const title = create("div.attn-title", text);
    return { place, words, node: create("div", title, place, words) };
  });
  const show = (time) => {
    for (const { shown } of views) if (shown) showMoment(shown.lane, time);
  };
  const tell = (moment) => {
    for (const { shown, words } of views) {
      const told =
        shown && (moment ? tellMoment(shown.told, moment, "letter") : outcome(shown.told));
      words.replaceChildren(...(told ?? []));
    }
  };
  const transport = new Transport(view, "letter", show, tell);
  const lanes = create("div.attn-lanes", ...views.map(({ node }) => node));
  const reset = resetFor(view, ["text", "at"]);
  const bar = create("div.attn-bar", transport.node, reset);
  view.frame.append(...typingBox(view, "Letters to copy", ALL), bar, said, lanes);

  function read() {
    const given = encodeText(view.get("text"), writers);
    said.textContent = refuse(given, writers, view.get("longest"));
    const written = said.textContent ? [] : writers.write(given);
    const [one_vector, attention] = written.map(({ target }) => target.join(""));
    view.publish("result", written.length ? { one_vector, attention } : {});
    [said.hidden, lanes.hidden] = [written.length > 0, !written.length];
    const counts = written.map(({ target }) => target.length);
    const most = Math.max(given.ids.length, ...counts);
    views.forEach((lane, n) => {
      lane.shown = written.length ? laneOf(NAMES[n], written[n], most) : null;
      if (lane.shown) lane.place.replaceChildren(lane.shown.node);
    });
    transport.refresh(Math.max(0, ...counts));
  }

  view.follow(["text"], read);
  read();
  return () => view.end();
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const writers = writersOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])];
  const rows = texts.map((text) => {
    const written = writers.write(encodeText(text, writers));
    return [text, ...written.map(({ target }) => target.join(""))];
  });
  return [["Read", ...NAMES], ...rows];
}

export default { render };
