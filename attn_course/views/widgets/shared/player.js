// Arcs in time. For every symbol that is written a decoder looks, averages, moves on and writes:
// played, one move after another, or at whatever moment the reader chooses.
//
// A time counts the moves that have been made, four for each symbol: at 5.5 half of the second look
// is done. It is null once all is written.

import { ARCS } from "./arcs.js";
import { capital, create, createButton, draw, named, percent, series } from "./common.js";

const WIDE = 26; // pixels: all beams of one look together, whose sum is one
const RING = 11; // the radius of the state
const ABOVE = 17; // from its middle to the symbols below it
const MOVES = ["look", "average", "move on", "write"];

function ease(share) {
  const part = Math.min(Math.max(share, 0), 1);
  return part * part * (3 - 2 * part);
}

/** The symbol and the move that a time lies in, and how much of the move is done. */
export function momentOf(time) {
  const before = Math.max(Math.ceil(time) - 1, 0);
  return { i: Math.floor(before / 4), move: before % 4, done: time - before };
}

/** Bézier's points of the first part of a curve, in one dimension. */
function firstPart(points, share) {
  if (points.length === 1) return points;
  const between = points.slice(1).map((point, n) => points[n] + (point - points[n]) * share);
  return [points[0], ...firstPart(between, share)];
}

/** The first part of a curve from a source at x down to a point. */
function curve(x, [x1, y1], share) {
  const down = firstPart([0, y1 / 2, y1 / 2, y1], share);
  const points = firstPart([x, x, x1, x1], share).map((along, k) => `${along},${down[k]}`);
  return `M${points[0]}C${points.slice(1).join(" ")}`;
}

/** Show a lane of `arcsLane` as it is at a time. */
export function showMoment({ stage, links, heads, sides, ...lane }, time) {
  const { weights } = lane;
  const { i, move, done } = time === null ? { i: weights.length } : momentOf(time);
  const written = (n) => (n === i ? Number(move === 3) * ease(2 * done - 1) : Number(n < i));
  sides.forEach((side, n) => {
    side.classList.toggle("attn-unwritten", !written(n));
    side.style.opacity = written(n) % 1 || "";
  });
  for (const { path, i: n } of links) {
    path.classList.toggle("attn-unwritten", written(n) < 1);
    path.classList.toggle("attn-past", time !== null);
  }
  const looks = i < weights.length && (move ? move < 3 : done > 0.5);
  heads.forEach((head, j) => {
    const weight = looks ? weights[i][j] : 0;
    if (weight < 0.045) head.removeAttribute("data-weight");
    else head.dataset.weight = weight.toFixed(2).replace(/^0/, "");
  });
  stage.replaceChildren(...(i < weights.length ? moving(stage, lane, { i, move, done }) : []));
}

/** What moves: the questions, the beams and the state that they come to. */
function moving(stage, { from, to, weights, fixed }, { i, move, done }) {
  const { clientWidth, clientHeight } = stage.parentNode; // none where nothing is laid out
  const [px, py] = [ARCS / (clientWidth || 440), ARCS / (clientHeight || 176)];
  const before = to[Math.max(i - 1, 0)];
  const moved = ease(move - 2 + done);
  const [x, y] = [ARCS * (before + (to[i] - before) * moved), ARCS - ABOVE * py];
  const up = ease(2.5 * done);
  const asked = move || fixed ? [] : from.map((place) => x + (ARCS * place - x) * up);
  const asks = asked.map((x2) => draw("line.attn-asks", { x1: x, y1: y, x2, y2: y - y * up }));
  const grown = move ? 1 : ease(2 * done - 1);
  let left = -WIDE / 2;
  const asSeen = from.map((_, j) => j).sort((a, b) => from[a] - from[b]);
  const beams = asSeen.flatMap((j) => {
    const weight = weights[i][j];
    const [wide, end] = [WIDE * weight, [x + (left + (WIDE * weight) / 2) * px, y]];
    left += wide;
    const beam = (colour, share, opacity) => {
      const stroke = { stroke: `var(--attn-${colour})`, "stroke-width": wide * grown, opacity };
      const d = curve(ARCS * from[j], end, share);
      return draw("path", { class: `attn-${colour}-beam`, d, ...stroke });
    };
    if (weight < 0.01 || !grown) return [];
    const flow = move ? [beam("context", move > 1 ? 1 : ease(done), 1)] : [];
    return [beam("ink", 1, 0.16 + 0.5 * weight), ...flow];
  });
  const disc = (colour, r, opacity) =>
    draw("circle", { fill: `var(--attn-${colour})`, r, opacity });
  const ring = `translate(${x} ${y}) scale(${RING * px} ${RING * py})`;
  return [
    draw("line.attn-rail", { x1: 0, x2: x - RING * px, y1: y, y2: y }),
    draw("g", { opacity: 1 - ease(2 * done - 1) }, ...asks),
    draw("g", { opacity: move === 3 ? 1 - ease(2 * done) : 1 }, ...beams),
    draw(
      "g",
      { transform: ring },
      draw("circle.attn-state", { r: 1 }),
      disc("context", 0.72 * ease(move - 1 + (done - 0.6) / 0.4), 1 - moved),
      disc("target", 0.72, moved),
    ),
  ];
}

/** What happens at a moment, in words. `unit` is what is written, "letter" or "character". */
export function tellMoment(told, { i, move }, unit) {
  const { source, target, weights, chances, size, right, fixed } = told;
  if (i >= target.length) return ["It has ended."];
  const seen = weights[i]
    .map((weight, j) => [weight, `${percent(weight)} on ${named(source[j])}`])
    .filter(([weight]) => weight >= 0.1)
    .sort(([a], [b]) => b - a)
    .map(([, words]) => words);
  const wrong = right && right[i] !== target[i];
  const instead = right?.[i] ? `${named(right[i])} was right` : "nothing was left to write";
  const [looks, brings] = fixed
    ? ["nothing to choose from", `the same ${size} numbers as for every ${unit}`]
    : ["it asks every position", "the annotations flow together, each as wide as its weight"];
  const words = [
    [looks, ...(fixed ? [] : [series(seen.slice(0, 2))])].filter(Boolean).join(": "),
    brings,
    "the state takes this in and moves on",
    `${named(target[i])}, at ${percent(chances[i])}${wrong ? `; ${instead}` : ""}`,
  ];
  const title = create("strong", `${capital(unit)} ${i + 1}, ${MOVES[move]}:`);
  return [title, ` ${words[move]}.`];
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Buttons and a slider for the trait `at`, a time. Whenever it changes, `show(time)` is called, and at
 *  another move, or after `refresh`, `tell(moment)`: null once all is written. */
export class Transport {
  #time = null;
  #end = 0; // the moves that there are to make
  #asked = 0; // the next frame, while it plays
  #told;
  #run = { clock: 0, until: 0, last: 0 };

  constructor(view, unit, show, tell) {
    Object.assign(this, { view, unit, show, tell });
    const stepping = (text, by, name) => {
      const button = createButton(text);
      button.setAttribute("aria-label", `One move ${name}`);
      view.listen(button, "click", () => this.#step(by));
      return button;
    };
    const [back, onward] = [stepping("◂", -1, "back"), stepping("▸", 1, "on")];
    this.go = createButton("Play", "attn-go");
    this.slider = create("input", { type: "range", min: 0, step: 0.05 });
    this.slider.setAttribute("aria-label", "Moves made");
    this.node = create("div.attn-transport", back, this.go, onward, this.slider);
    view.listen(this.go, "click", () => this.#play());
    view.listen(this.slider, "input", () => this.#set(Number(this.slider.value)));
    view.listen(this.node, "keydown", (event) => this.#key(event));
    view.follow(["at"], () => this.#asked || this.refresh());
    view.signal.addEventListener("abort", () => this.#halt());
  }

  /** Show the time that the trait has, of an answer with so many symbols. */
  refresh(count = this.#end / 4) {
    this.#halt();
    this.#end = 4 * count;
    this.#time = this.#within(this.view.get("at"));
    this.node.hidden = !count;
    this.#told = undefined;
    this.#update();
  }

  #within(time) {
    return time === null || time >= this.#end ? null : Math.max(time, 0);
  }

  #halt() {
    if (this.#asked) cancelAnimationFrame(this.#asked);
    this.#asked = 0;
  }

  #update() {
    const moment = this.#time === null ? null : momentOf(this.#time);
    const place = moment && `${this.unit} ${moment.i + 1}, ${MOVES[moment.move]}`;
    this.slider.max = this.#end;
    this.slider.value = this.#time ?? this.#end;
    this.slider.setAttribute("aria-valuetext", place ?? "all written");
    this.go.textContent = this.#asked ? "Pause" : "Play";
    this.show(this.#time);
    if (place !== this.#told) this.tell(moment);
    this.#told = place;
  }

  #set(time) {
    this.#halt();
    this.#time = this.#within(time);
    this.view.share({ at: this.#time });
    this.#update();
  }

  #start(until) {
    this.#time ??= 0;
    this.#run = { until, clock: this.#time, last: performance.now() };
    this.#asked = requestAnimationFrame((now) => this.#tick(now));
    this.#update();
  }

  #tick(now) {
    const run = this.#run;
    const [isCalm, before] = [calm(), this.#time];
    const pace = isCalm ? 0.9 : run.clock < 4 ? 1.1 : 1.8; // moves a second: the first are slower
    run.clock += (pace * Math.min(Math.max(now - run.last, 0), 100)) / 1000; // time asleep is lost
    run.last = now;
    if (run.clock >= run.until) return this.#set(run.until);
    this.#time = isCalm ? Math.floor(run.clock) : run.clock;
    this.#asked = requestAnimationFrame((later) => this.#tick(later));
    const whole = Math.floor(this.#time);
    if (whole > before) this.view.share({ at: whole });
    if (!isCalm || whole > before) this.#update();
  }

  #play() {
    if (this.#asked) this.#set(this.#time);
    else this.#start(this.#end);
  }

  #step(by) {
    const time = this.#time ?? (by < 0 ? this.#end : 0);
    const next = (by < 0 ? Math.ceil(time) : Math.floor(time)) + by;
    if (by === 1 && !this.#asked && !calm()) this.#start(next);
    else this.#set(next);
  }

  #key(event) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (by) this.#step(event.shiftKey ? 4 * by : by);
    else if (event.key === "Home") this.#set(0);
    else if (event.key === "End") this.#set(null);
    else if (event.key === " " && event.target === this.slider) this.#play();
    else return;
    event.preventDefault();
  }
}
