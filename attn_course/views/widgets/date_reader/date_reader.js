// Type a date: the trained model reads it, here in the page.

import {
  across,
  asPlace,
  chooser,
  describeLinks,
  isSelected,
  linkToSee,
  matrixView,
  nameToken,
  pointAtPlaces,
  scrolled,
  within,
} from "../shared/alignment.js";
import { arcsView, viewSwitch } from "../shared/arcs.js";
import { charactersOf, forward, textReader } from "../shared/bahdanau.js";
import {
  beginView,
  CLICK,
  create,
  createLive,
  named,
  POINT_AT,
  percent,
  series,
} from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { showMoment, Transport, tellMoment } from "../shared/player.js";
import { encodeText, neverSaw, typingBox, zeroOf } from "../shared/typing.js";

const WORTH_NAMING = 0.1; // a second choice below this does not count as a reading

/** The trained model and its vocabularies, from the traits. */
function readerOf(model) {
  const reader = textReader(model);
  return {
    ...reader,
    run: (ids, options) => forward(reader.arrays, reader.special, ids, options),
  };
}

/** What a run of the model wrote, how likely it found that, and what each character read. */
function asReading(steps, reader) {
  const { special } = reader;
  const written = steps.filter(({ symbol }) => symbol !== special.end);
  const sure = ({ probabilities, symbol }) => probabilities[symbol];
  return {
    iso: charactersOf(steps, reader),
    probabilities: written.map(sure),
    probability: steps.map(sure).reduce((product, share) => product * share, 1),
    end: steps.filter(({ symbol }) => symbol === special.end).map(sure),
    weights: written.map(({ weights }) => weights),
  };
}

/** The best reading that makes another choice somewhere: "what if the day came first?" */
function runnerUp(ids, steps, reader, hidden) {
  const forks = steps.map(({ probabilities, symbol }, i) => {
    const others = probabilities.map((share, other) => (other === symbol ? 0 : share));
    const share = Math.max(...others);
    const before = steps.slice(0, i).map((earlier) => earlier.symbol);
    return { at: i, share, forced: [...before, others.indexOf(share)] };
  });
  const readings = forks
    .filter(({ share }) => share >= WORTH_NAMING)
    .sort((a, b) => b.share - a.share)
    .slice(0, 3)
    .map(({ at, forced }) => ({ at, ...asReading(reader.run(ids, { forced, hidden }), reader) }))
    .filter(({ iso }) => iso.length)
    .sort((a, b) => b.probability - a.probability);
  return readings[0]?.probability >= WORTH_NAMING ? readings[0] : null;
}

/** The reading of a text with some positions hidden, and what Python gets to know of it. */
function readText({ characters, ids, unknown }, reader, sureAbove, hidden = []) {
  const steps = reader.run(ids, { hidden });
  const reading = asReading(steps, reader);
  const other = runnerUp(ids, steps, reader, hidden);
  const result = {
    iso: reading.iso.join(""),
    probability: reading.probability,
    probabilities: reading.probabilities,
    end: reading.end[0] ?? null,
    unsure: reading.probability < sureAbove,
    unknown: [...new Set(unknown.map((j) => characters[j]))],
    runner_up: other && {
      iso: other.iso.join(""),
      probability: other.probability,
      at: other.at,
    },
  };
  return {
    reading,
    result: { ...result, against: whatSpeaksAgainst(characters.join(""), result) },
  };
}

function isDay(iso) {
  const day = new Date(`${iso}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(iso) &&
    !Number.isNaN(day.getTime()) &&
    day.toISOString().startsWith(iso)
  );
}

function isExchanged(iso, other) {
  const [year, month, day] = iso.split("-");
  return other === `${year}-${day}-${month}`;
}

/** What in a text speaks against its answer; "" if nothing does. The model cannot say it: it learnt
 *  from dates and names alone, so it makes a date of whatever else looks like one. */
function whatSpeaksAgainst(text, { iso, unknown }) {
  if (!iso) return "";
  if (unknown.length) return "it has characters that the model never saw";
  const [whole, year, month, day] = /^(?:(\d{4})|-)(?:-(\d\d)(?:-(\d\d))?)?$/.exec(iso) ?? [];
  if (!whole || !isDay(completed(iso))) return "there is no such day";
  const numbers = plainDigits(text).match(/\d+/g) ?? [];
  const short = year?.slice(2);
  const asOne = [year, short].flatMap((y) => [y + month + day, day + month + y, month + day + y]);
  if (day && year && numbers.some((number) => asOne.includes(number))) return "";
  const twos = numbers.filter((number) => number.length < 3).map(Number);
  if (year && !numbers.includes(year) && !numbers.includes(short))
    return `no number in it is the year ${year}`;
  if (day && !twos.includes(Number(day))) return `no number in it is the day ${Number(day)}`;
  if (month && !/\p{L}/u.test(text) && !twos.includes(Number(month)))
    return `no number in it is the month ${Number(month)}`;
  const parts = [year, month, day].filter(Boolean).length;
  return parts < 3 && numbers.length > parts ? "it has more numbers than the answer" : "";
}

/** How sure the model is of its answer, in words. */
function verdict({ iso, probability, probabilities, end, unsure, against, runner_up: other }) {
  const sure = unsure ? "unsure" : "sure";
  const nothing = iso ? "" : "The model writes nothing: it takes this text for no date. ";
  const foreign = against && !unsure;
  const head = foreign ? "The model gives" : `The model is ${sure}: it gives`;
  const words = [`${nothing}${head} this answer a probability of `];
  words.push(percent(probability));
  if (other) {
    const how = isExchanged(iso, other.iso) ? ", where day and month are exchanged" : "";
    words.push(`, and ${percent(other.probability)} to `, inOneLine(other.iso), how);
  }
  words.push(".");
  if (foreign) words.push(` That does not make the text a date: ${against}.`);
  if (other?.probability > probability) words.push(whyNot(iso, other));
  if (iso && unsure && !other) {
    const least = probabilities.indexOf(Math.min(...probabilities));
    const atEnd = end !== null && end < probabilities[least];
    const where = atEnd ? "the end" : `character ${least + 1}, ${named(iso[least])}`;
    words.push(` It is least sure of ${where}.`);
  }
  const missing = whatIsMissing(iso);
  if (missing) words.push(` It takes the text for incomplete: ${missing} is missing.`);
  if (iso && !isDay(completed(iso))) {
    words.push(` ${noSuchDay(iso)}: it writes characters and knows no calendar.`);
  }
  return words;
}

const PARTS = [
  { form: /^\d{4}-\d\d$/, missing: "the day", complete: (iso) => `${iso}-01` },
  { form: /^--\d\d-\d\d$/, missing: "the year", complete: (iso) => `2000${iso.slice(1)}` },
  { form: /^--\d\d$/, missing: "all but a month", complete: (iso) => `2000${iso.slice(1)}-01` },
  { form: /^\d{4}$/, missing: "all but a year", complete: (iso) => `${iso}-01-01` },
];

/** What an answer leaves out, if it is a date with a part missing. */
function whatIsMissing(iso) {
  return PARTS.find(({ form }) => form.test(iso))?.missing;
}

/** An answer with a part missing as a whole day, so that a month 13 is found out. */
function completed(iso) {
  return PARTS.find(({ form }) => form.test(iso))?.complete(iso) ?? iso;
}

/** Why greedy search did not find the other answer, although it is likelier. */
function whyNot(iso, { iso: other, at }) {
  const character = (answer) => (at < answer.length ? named(answer[at]) : "the end");
  return (
    " As a whole, that answer is the likelier one. But the model searches greedily: at character " +
    `${at + 1} it takes ${character(iso)} rather than ${character(other)}, because the former is ` +
    "likelier at that step; it does not know yet how sure it will be of the rest."
  );
}

/** What hiding some characters has done to the answer, in words. */
function whatHidingDid(hidden, characters, result, whole) {
  if (!hidden.length) return [];
  const which = series(hidden.map((j) => named(characters[j])));
  const words = [`With ${which} hidden from the decoder, the answer `];
  if (result.iso === whole.iso) {
    words.push("stays the same: the decoder finds enough of the date elsewhere. ");
  } else words.push("changes: it was ", inOneLine(whole.iso), ". ");
  return [...words, `Its probability was ${percent(whole.probability)}. `];
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** What is wrong with an answer that is not a day of the calendar. */
function noSuchDay(iso) {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(completed(iso)) ?? [];
  if (!year) return "That does not even have the form of a date";
  const name = MONTHS[month - 1];
  if (!name) return `There is no month ${month}`;
  return `There is no ${Number(day)} ${name}${iso.startsWith("--") ? "" : ` ${year}`}`;
}

/** Digits of any script as European ones: ١٩٤٥ becomes 1945. */
function plainDigits(text) {
  return text.replace(/\p{Nd}/gu, (digit) => digit.codePointAt(0) - zeroOf(digit));
}

/** A sentence on a typed year that did not occur in training. */
function outOfYears(text, [first, last]) {
  const numbers = plainDigits(text).match(/\d+/g) ?? [];
  const years = numbers.filter((number) => /^[1-9]\d{3}$/.test(number));
  const [beyond] = years.filter((year) => year < first || year > last);
  if (!beyond) return "";
  const other = CALENDARS.find(({ ahead }) => beyond - ahead >= first && beyond - ahead <= last);
  const reads = other ? ` It does not read ${other.name}.` : "";
  return ` It was trained on the years ${first} to ${last} only, and ${beyond} lies outside.${reads}`;
}

// Years of other calendars: about as many as these ahead of ours
const CALENDARS = [
  { name: "years of the Buddhist era", ahead: 543 },
  { name: "the Persian calendar", ahead: -621 },
];

/** A date must not break at its hyphens. */
function inOneLine(iso) {
  return create("span.attn-iso", iso);
}

function render({ model, el }) {
  const view = beginView({ model, el }, "reader", "Date reader");
  const { frame } = view;
  const parts = layOut(frame, typingBox(view, view.get("label"), ALL));
  const reader = readerOf(view);
  const choice = chooser(view);
  const newFigure = view.renewed();
  let shown = null; // the figure and its alignment, while there is one
  const show = (time) => shown?.lane && showMoment(shown.lane, time);
  const tell = (moment) => {
    if (shown) shown.moment = moment;
    mark();
  };
  const transport = new Transport(view, "character", show, tell);

  function read() {
    const given = encodeText(view.get("text"), reader);
    const refusal = refuse(given.ids.length, view.get("longest"));
    const found = refusal ? null : readWith(given, reader, view);
    view.publish("result", found?.result ?? {});
    const focused = parts.figure.contains(document.activeElement) && document.activeElement;
    clear(frame, parts);
    arrange(frame, parts, view.get("view"));
    const part = newFigure();
    shown = found && showReading(part, { frame, ...parts }, choice, { ...given, ...found });
    if (refusal) parts.said.textContent = refusal;
    transport.refresh(shown?.lane?.weights.length ?? 0);
    if (focused && shown) shown.focus(focused.selection);
  }

  function readAnew() {
    if (view.get("hidden").length)
      view.share({ hidden: [] }); // which were positions of another text
    else read();
  }

  function mark() {
    if (!shown) return;
    const selected = within(view.get("selected"), shown.alignment);
    markReading(shown, selected, parts, view.get("view"));
    const seen = shown.moment ? { side: "target", index: shown.moment.i } : selected;
    shown.reveal(shown.placeOf(linkToSee(shown.alignment, seen)));
  }

  drawControls(view, parts.controls, transport.node);
  view.follow(["text"], readAnew);
  view.follow(["hidden", "view"], read);
  view.follow(["selected"], mark);
  read();
  if (!isSelected(view.get("selected")) && !shown?.moment) play(parts.figure);
  return () => view.end();
}

/** The reading as it is, and as it would be with nothing hidden. */
function readWith(given, reader, model) {
  const sureAbove = model.get("sure_above");
  const hidden = model.get("hidden").filter((j) => j < given.ids.length);
  const whole = readText(given, reader, sureAbove);
  if (!hidden.length || hidden.length >= given.ids.length) return { ...whole, hidden: [], whole };
  return { ...readText(given, reader, sureAbove, hidden), hidden, whole };
}

/** Hide a character from the decoder, or show it again; at least one remains. */
function toggleHidden(view, j, count) {
  const before = view.get("hidden");
  const hidden = before.includes(j) ? before.filter((k) => k !== j) : [...before, j];
  if (hidden.length < count) view.share({ hidden: hidden.sort((a, b) => a - b) });
}

/** The box to type in, and the places of what follows from it. */
function layOut(frame, typing) {
  const answer = createLive("div.attn-answer", { role: "group", "aria-label": "ISO date" });
  const said = createLive("p.attn-verdict");
  const figure = create("div.attn-figure-place");
  const words = createLive("p.attn-readout");
  const controls = create("div.attn-bar");
  frame.append(...typing, answer, said, figure, words, controls);
  return { answer, said, figure, words, controls };
}

/** Arcs end at the answer itself. So the answer above them is only for screen readers, and the words
 *  about it stand below. */
function arrange(frame, { answer, said, figure }, view) {
  const arcs = view === "arcs";
  frame.classList.toggle("attn-with-arcs", arcs);
  answer.classList.toggle("attn-aloud", arcs);
  const place = arcs ? figure : answer;
  if (place.nextElementSibling !== said) place.after(said);
}

/** Let the answer be written once, digit by digit. The style sheet does it, if motion is welcome.
 *  The page starts this with the same figure before the widget runs, so it continues from there. */
function play(figure) {
  figure.classList.add("attn-playing");
  const [begun] = performance.getEntriesByName("first-contentful-paint");
  if (!begun || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  figure.style.setProperty("--attn-since", `${Math.round(performance.now() - begun.startTime)}ms`);
}

const ALL = { at: null }; // an answer is shown whole at first

function drawControls(view, bar, moving) {
  const names = ["text", "hidden", "view", "selected", "at"]; // the text first: it redraws all
  bar.replaceChildren(viewSwitch(view), moving, resetFor(view, names));
}

function clear(frame, { answer, figure, said, words }) {
  answer.replaceChildren();
  figure.replaceChildren();
  said.textContent = "";
  words.textContent = "";
  said.hidden = words.hidden = false;
  figure.classList.remove("attn-playing");
  frame.classList.remove("attn-unsure");
}

/** Show a reading; returns its figure and alignment, or null if nothing was written. */
function showReading(view, parts, choice, found) {
  const { characters, unknown, hidden, reading, result, whole } = found;
  const { frame, answer, said, figure } = parts;
  const outside = outOfYears(characters.join(""), view.get("years"));
  const hiding = whatHidingDid(hidden, characters, result, whole.result);
  const unread = result.unknown.length ? ` ${neverSaw(result.unknown)}` : "";
  said.replaceChildren(...hiding, ...verdict(result), outside, unread);
  frame.classList.toggle("attn-unsure", result.unsure || result.against !== "");
  const written = (tag) => answerCharacters(tag, reading, whole.reading, view.get("sure_above"));
  const { iso: target, weights, probabilities: chances } = reading;
  const alignment = { source: characters, target, weights, chances };
  const states = characters.map((_, j) => [
    ...(unknown.includes(j) ? ["unknown"] : []),
    ...(hidden.includes(j) ? ["hidden"] : []),
  ]);
  const press = (j) => {
    choice.leave(); // otherwise what was pointed at would outlast its figure
    toggleHidden(view, j, characters.length);
  };
  const given = { reading, limit: view.get("sure_above"), states, press };
  if (view.get("view") === "arcs") answer.textContent = reading.iso.join("");
  else {
    answer.replaceChildren(...written("span"));
    pointAtPlaces(view, answer, choice);
  }
  if (!reading.iso.length) return null;
  const map = FIGURES[view.get("view")](view, alignment, choice, { ...given, written });
  const { node, reveal } = scrolled(view, map.sides, map.node);
  figure.replaceChildren(node);
  return { alignment, hidden, ...map, reveal, focus: (place) => map.placeOf(place)?.focus() };
}

const KEYS = "Arrow keys move, Enter hides what was typed, Escape shows all.";

const FIGURES = {
  matrix(view, alignment, choice, { reading, limit, states, press }) {
    const notes = reading.probabilities.map((share) => probabilityNote(share, limit));
    const label = `What each character of the answer read. ${KEYS}`;
    const sides = [across("Typed", alignment.source), "Answer ↓ and how sure"];
    return { sides, ...matrixView(view, alignment, choice, label, { notes, states, press }) };
  },
  arcs(view, alignment, choice, { written, states, press }) {
    const label = `What was typed, the answer, and what each digit read. ${KEYS}`;
    const sides = [across("Typed", alignment.source), `${POINT_AT} a digit`];
    const own = { states, press, sides: written("button") };
    return { sides, ...arcsView(view, alignment, choice, label, own) };
  },
};

function markReading(shown, selected, { answer, figure, said, words }, view) {
  const { alignment, hidden, mark, moment } = shown;
  mark(selected);
  // Nothing reads a hidden character, and the pointer still rests on it after the click that hid it:
  // show then what hiding did.
  const { side, index, other } = selected;
  const isHidden = side === "source" && other === undefined && hidden.includes(index);
  if (isHidden) {
    for (const part of figure.querySelectorAll(".attn-far")) part.classList.remove("attn-far");
  }
  const pointed = isSelected(selected) && !isHidden;
  if (pointed || moment) figure.classList.remove("attn-playing");
  [...answer.children].forEach((character, i) => {
    const chosen = selected.side === "target" && selected.index === i;
    character.classList.toggle("attn-chosen", chosen);
  });
  words.textContent = pointed ? describeLinks(alignment, selected) : INVITATIONS[view];
  if (moment && !pointed) words.replaceChildren(...tellMoment(alignment, moment, "character"));
  const instead = pointed || Boolean(moment);
  if (view === "arcs") [said.hidden, words.hidden] = [instead, !instead]; // one line, in one place
}

const INVITATIONS = {
  matrix:
    `${POINT_AT} a character of the answer to see what it read. ${CLICK} one that was typed, above ` +
    "the table, to hide it from the decoder.",
  arcs: "",
};

/** Why a text is not read, if so. */
function refuse(length, longest) {
  if (length === 0) return "Type a date as you write it at home: the answer follows as you type.";
  if (length <= longest) return null;
  return `That is ${length} characters, and the model reads at most ${longest}: please shorten it.`;
}

/** The answer, each character with the probability that the model gave it. */
function answerCharacters(tag, { iso, probabilities }, whole, limit) {
  return iso.map((character, i) => {
    const node = create(`${tag}.attn-character`, character);
    if (tag === "button") {
      node.type = "button";
      node.classList.add("attn-token", "attn-target");
      nameToken(node, character, [], `target ${i + 1}`);
    }
    node.style.setProperty("--attn-share", probabilities[i]);
    node.style.setProperty("--attn-turn", i);
    node.classList.toggle("attn-doubtful", probabilities[i] < limit);
    node.classList.toggle("attn-changed", character !== whole.iso[i]);
    return asPlace(node, { side: "target", index: i });
  });
}

/** Beside each target: how likely the model found it. */
function probabilityNote(share, limit) {
  const doubtful = share < limit ? " attn-doubtful" : "";
  return create("span", { class: `attn-sure${doubtful}` }, percent(share));
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const reader = readerOf(model);
  const texts = [...new Set([model.get("text"), ...model.get("samples")])];
  const rows = texts.map((text) => {
    const { ids } = encodeText(text, reader);
    const { iso, probability } = asReading(reader.run(ids), reader);
    return [text, iso.join("") || "no date", percent(probability)];
  });
  return [["A date as it is written", "As the model reads it", "Probability"], ...rows];
}

export default { render };
