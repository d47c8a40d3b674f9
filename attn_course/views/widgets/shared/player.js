// Arcs in time. For every symbol that is written a decoder looks, averages, moves on and writes:
// played, one move after another, or at whatever moment the reader chooses.
//
// A time counts the moves that have been made, four for each symbol: at 5.5 half of the second look
// is done. It is null once all is written.

import { ARCS } from "./arcs.js";
import {
  capital,
  create,
  createButton,
  draw,
  follow,
  listen,
  named,
  percent,
  share,
} from "./common.js";

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

/** The first part of a curve from a source down to the state. */
function curve([x, y], [x1, y1], share) {
  const between = (a, b) => a.map((from, k) => from + (b[k] - from) * share);
  let points = [
    [x, y],
    [x, (y + y1) / 2],
    [x1, (y + y1) / 2],
    [x1, y1],
  ];
  const ends = [];
  while (points.length) {
    ends.push(points[0]);
    points = points.slice(1).map((point, n) => between(points[n], point));
  }
  return `M${ends[0]}C${ends.slice(1).join(" ")}`;
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
  const x = ARCS * (before + (to[i] - before) * ease(move - 2 + done));
  const y = ARCS - ABOVE * py;
  const parts = [draw("line", { class: "attn-rail", x1: 0, x2: x - RING * px, y1: y, y2: y })];
  if (!move && !fixed) {
    const up = ease(2.5 * done);
    const risen = (x2) => ({ x1: x, y1: y, x2: x + (ARCS * x2 - x) * up, y2: y - y * up });
    const asks = from.map((x2) => draw("line", { class: "attn-asks", ...risen(x2) }));
    parts.push(draw("g", { opacity: 1 - ease(2 * done - 1) }, ...asks));
  }
  const grown = move ? 1 : ease(2 * done - 1);
  let left = -WIDE / 2;
  const beams = weights[i].flatMap((weight, j) => {
    const ends = [
      [ARCS * from[j], 0],
      [x + (left + (WIDE * weight) / 2) * px, y],
    ];
    left += WIDE * weight;
    const beam = (name, share) => {
      const path = draw("path", { class: name, d: curve(...ends, share) });
      path.style.strokeWidth = `${WIDE * weight * grown}px`;
      path.style.setProperty("--attn-share", weight);
      return path;
    };
    if (weight < 0.01 || !grown) return [];
    return [beam("attn-beam", 1), ...(move ? [beam("attn-flow", move > 1 || ease(done))] : [])];
  });
  const gone = move === 3 ? ease(2 * done) : 0;
  const disc = (name, share, opacity = 1) =>
    draw("ellipse", {
      class: name,
      cx: x,
      cy: y,
      rx: RING * px * share,
      ry: RING * py * share,
      opacity,
    });
  const got = ease(move - 1 + (done - 0.6) / 0.4);
  return [
    ...parts,
    draw("g", { opacity: 1 - gone }, ...beams),
    disc("attn-state", 1),
    disc("attn-got", 0.72 * got, 1 - ease(move - 2 + done)),
    disc("attn-moved", move > 1 ? 0.72 : 0, ease(move - 2 + done)),
  ];
}

/** What happens at a moment, in words. `unit` is what is written, "letter" or "character". */
export function tellMoment(
  { source, target, weights, chances, size, right, fixed },
  { i, move },
  unit,
) {
  if (i >= target.length) return ["It has ended."];
  const seen = weights[i]
    .map((weight, j) => ({ weight, j }))
    .filter(({ weight }) => weight >= 0.1)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .map(({ weight, j }) => `${percent(weight)} on ${named(source[j])}`);
  const spread = seen.length ? `: ${seen.join(", ")}.` : ", and a little of each comes back.";
  const wrong = right && right[i] !== target[i];
  const instead = right?.[i] ? `; ${named(right[i])} was right.` : "; nothing was left to write.";
  const words = [
    fixed
      ? "nothing to choose from, since there is one vector."
      : `the state asks every position${spread}`,
    fixed
      ? `the same ${size} numbers as for every ${unit}.`
      : "the annotations flow together, each as wide as its weight.",
    "the state takes this in and moves on.",
    `${named(target[i])}, at ${percent(chances[i])}${wrong ? instead : "."}`,
  ];
  return [
    create("strong", { text: `${capital(unit)} ${i + 1}, ${MOVES[move]}:` }),
    ` ${words[move]}`,
  ];
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Buttons and a slider for the trait `at`, a time. Whenever it changes, `show(time)` is called. */
export class Transport {
  #time = null;
  #end = 0; // the moves that there are to make
  #asked = 0; // the next frame, while it plays
  #run = { clock: 0, until: 0, last: 0 };

  constructor(life, model, unit, show) {
    Object.assign(this, { model, unit, show });
    this.back = createButton("◂");
    this.go = createButton("Play", "attn-go");
    this.onward = createButton("▸");
    this.slider = create("input", { type: "range", min: 0, step: 0.05 });
    this.back.setAttribute("aria-label", "One move back");
    this.onward.setAttribute("aria-label", "One move on");
    this.slider.setAttribute("aria-label", "Moves made");
    const parts = [this.back, this.go, this.onward, this.slider];
    this.node = create("div", { className: "attn-transport" }, ...parts);
    listen(life, this.back, "click", () => this.#step(-1));
    listen(life, this.go, "click", () => this.#play());
    listen(life, this.onward, "click", () => this.#step(1));
    listen(life, this.slider, "input", () => this.#set(Number(this.slider.value)));
    listen(life, this.node, "keydown", (event) => this.#key(event));
    follow(life, model, ["at"], () => this.#asked || this.refresh());
    life.signal.addEventListener("abort", () => this.#halt());
  }

  /** Show the time that the trait has, of an answer with so many symbols. */
  refresh(count = this.#end / 4) {
    this.#halt();
    this.#end = 4 * count;
    this.#time = this.#within(this.model.get("at"));
    this.node.hidden = !count;
    this.#update();
  }

  #within(time) {
    return time === null || time >= this.#end ? null : Math.max(time, 0);
  }

  #halt() {
    cancelAnimationFrame(this.#asked);
    this.#asked = 0;
  }

  #update() {
    this.slider.max = this.#end;
    this.slider.value = this.#time ?? this.#end;
    const { i, move } = momentOf(this.#time ?? 0);
    const place = `${this.unit} ${i + 1}, ${MOVES[move]}`;
    this.slider.setAttribute("aria-valuetext", this.#time === null ? "all written" : place);
    this.go.textContent = this.#asked ? "Pause" : "Play";
    this.show(this.#time);
  }

  #set(time) {
    this.#halt();
    this.#time = this.#within(time);
    share(this.model, { at: this.#time });
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
    if (run.clock >= run.until) {
      this.#set(run.until);
      return;
    }
    this.#time = isCalm ? Math.floor(run.clock) : run.clock;
    this.#asked = requestAnimationFrame((later) => this.#tick(later));
    const whole = Math.floor(this.#time);
    if (whole > before) share(this.model, { at: whole });
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
