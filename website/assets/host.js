// Brings the widgets of a page to life without Jupyter.
//
// Jupyter stores a page's widget models as JSON in the page, and marks the places where they are
// shown. The build moves the code of each widget to a classic script that calls
// `register`, and large arrays to scripts that call `bytes`. Once these have run, each model gets
// the interface that anywidget documents (get, set, on, off, save_changes), so the same
// widget module runs here and in Jupyter. Several places may show one model; they stay in step.
//
// Large arrays are fetched once the page has been drawn, since a slow line should carry the text
// first. An array inside a list or a dictionary is one of many: its script runs only when a widget
// first reads it, and what the widget reads is a promise, which `await` turns into the array here
// and in Jupyter.
//
// In place of a kernel, a page has whatever listens: the place of a widget sends `attn-start`
// before its model's first view, and `attn-save` whenever the widget asks for its traits to be
// saved. Both bubble, and carry the model as `detail`.
//
// A module here; the build makes it one classic script.
import { Model, viewOf } from "../../attn_course/views/widgets/shared/model.js";

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const FAILED = "The interactive figure that belongs here could not start";
const THREW = " in this browser.";
const NOT_HERE = ": a file that it needs did not arrive. Please load this page anew.";
const BLOCKED =
  ": the policy of this page, or of the site that shows it, blocks a file that it needs.";

const modules = new Map();
const files = new Map();
const models = new Map();
const drawn = new Promise((resolve) => addEventListener("load", resolve));

window.attnCourse = {
  register: (key, module) => modules.set(key, module),
  bytes: (key, base64) => files.set(key, base64),
};

// Arrays travel as text; a widget gets them as a DataView, as it does in Jupyter.
async function unpack({ state, buffers = [] }) {
  await Promise.all(buffers.map((buffer) => put(state, buffer)));
  return state;
}

async function put(state, { path, data, file, address }) {
  const parent = path.slice(0, -1).reduce((object, key) => object[key], state);
  const name = path.at(-1);
  if (!file) parent[name] = viewOf(data);
  else if (path.length === 1) parent[name] = await fetched(file, address);
  else Object.defineProperty(parent, name, { get: () => fetched(file, address) });
}

// A failed attempt is not remembered, since the next one may succeed.
async function fetched(file, address) {
  await drawn;
  if (!files.has(file)) await run(address);
  if (!files.has(file)) throw new Error(`${address} does not contain the array ${file}`);
  return viewOf(files.get(file));
}

function run(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => {
      reject(Object.assign(new Error(`${address} could not be loaded`), { script }));
    });
    script.src = address;
    document.head.append(script);
  });
}

function tell(place, name, model) {
  place.dispatchEvent(new CustomEvent(`attn-${name}`, { bubbles: true, detail: model }));
}

// A model and its module's render function, created for its first view.
async function start(description, place) {
  const key = description.state._esm;
  if (!modules.has(key)) {
    const script = [...document.scripts].find(({ src }) => src.endsWith(`/${key}.js`));
    throw Object.assign(new Error(`the module ${key} was not loaded, or threw`), { script });
  }
  const model = new Model(await unpack(description));
  tell(place, "start", model);
  const { default: module } = modules.get(key);
  const widget = typeof module === "function" ? await module() : module;
  await widget.initialize?.({ model });
  return { model, render: widget.render };
}

// The widget takes its place in one go once it is drawn, and is as high as what stood there, its
// first state. If it fails, its sentence and its table stay.
async function show(script, descriptions) {
  const key = JSON.parse(script.textContent).model_id;
  const place = script.parentElement;
  const el = document.createElement("div");
  try {
    if (!models.has(key)) models.set(key, start(descriptions[key], place));
    const { model, render } = await models.get(key);
    await render({ model, el });
    place.replaceChildren(script, el);
    model.on("save", () => tell(place, "save", model));
  } catch (error) {
    console.error(error);
    await new Promise((go) => setTimeout(go)); // until a blocked script is known as such
    const isBlocked = window.attnMissing?.get(error.script?.src);
    const why = isBlocked === undefined ? THREW : isBlocked ? BLOCKED : NOT_HERE;
    const still = place.querySelector(".attn-still");
    still.querySelector("p").append(` ${FAILED}${why}`);
    still.classList.add("attn-failed");
    place.replaceChildren(script, still);
  }
}

// What opens the language model says itself what it lacks, unless it is missing.
addEventListener("load", () => {
  const [, isBlocked] = [...window.attnMissing].find(([src]) => LANGUAGE.test(src)) ?? [];
  if (isBlocked === undefined) return;
  for (const said of document.querySelectorAll(".attn-language [data-part=said]"))
    said.textContent = `The model cannot be opened here${isBlocked ? BLOCKED : NOT_HERE}`;
});
const LANGUAGE = /\/language\.js$/;

document.addEventListener("DOMContentLoaded", () => {
  const descriptions = {};
  for (const script of document.querySelectorAll(STATE)) {
    Object.assign(descriptions, JSON.parse(script.textContent).state);
  }
  for (const script of document.querySelectorAll(VIEW)) show(script, descriptions);
});
