// Renders widgets without a browser, by calling the modules that they bring along.
// Standard input: { linkedom, model, widgets: [{ state, buffers }] }, these as a notebook stores
// them; `model` is the text of attn_course/views/widgets/shared/model.js.
// Output: [{ rows, answer, first, remembered: [{ from, to, drawn }] }]; see prerendered.py.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const asked = JSON.parse(readFileSync(0, "utf8"));
const page = createRequire(import.meta.url)(asked.linkedom).parseHTML("<html><body></body></html>");
const { document } = page;
Object.assign(globalThis, { window: page, document });
// nothing is laid out in node, so every box has its corner and its size at zero
for (const { prototype } of [page.Element, document.createRange().constructor]) {
  prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 0, height: 0 });
}

// attributes for screen readers, translators and the keyboard, which never reach this static copy
const UNSEEN = ["tabindex", "name", "data-place", "data-name", "data-live", "translate"];
UNSEEN.push("autocomplete", "autocapitalize", "autocorrect", "spellcheck");
// states that have a look; the others go with the roles that they belong to
const SEEN = ["aria-pressed", "aria-checked", "aria-disabled"];
// properties that linkedom does not turn into attributes by itself
const PROPERTIES = ["checked", "disabled", "open", "min", "max", "step"];
const LONG = /-?\d+\.\d{4,}(e-\d+)?/g; // finer than anyone can see, and engines differ

// node keeps each module under its address, so the same text is the same module
function moduleOf(text) {
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

const { Model, viewOf } = await moduleOf(asked.model);

function valuesOf({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const parent = path.slice(0, -1).reduce((object, key) => object[key], state);
    parent[path.at(-1)] = viewOf(data);
  }
  return state;
}

async function drawn(module, traits) {
  const model = new Model({ ...traits });
  const widget = typeof module === "function" ? await module() : module;
  await widget.initialize?.({ model });
  const el = document.createElement("div");
  await widget.render({ model, el });
  for (const node of el.querySelectorAll("*")) tidy(node);
  return el.innerHTML;
}

function tidy(node) {
  for (const name of PROPERTIES) {
    if (node[name] === true) node.setAttribute(name, "");
    else if (typeof node[name] === "number") node.setAttribute(name, node[name]);
  }
  if (node.localName === "select") node.options[node.selectedIndex]?.setAttribute("selected", "");
  for (const name of UNSEEN) node.removeAttribute(name);
  for (const { name, value } of [...node.attributes]) {
    if (isUnheard(node, name, value)) node.removeAttribute(name);
    if (name === "value") continue; // a slider rounds its value itself
    const short = value.replace(LONG, (digits) => Number(Number(digits).toFixed(3)));
    if (short !== value) node.setAttribute(name, short);
  }
}

function isUnheard(node, name, value) {
  // HTML requires a label on every input, even where no screen reader announces it
  if (name === "aria-label") return node.localName !== "input";
  if (name === "role") return node.getAttribute("aria-checked") !== "true"; // which needs its role
  if (name === "aria-disabled" && node.localName !== "button") return true;
  if (SEEN.includes(name)) return name !== "aria-pressed" && value !== "true";
  return name.startsWith("aria-");
}

async function prerender({ default: module, table, answer, remembered }, traits) {
  const model = new Model(traits);
  const states = (remembered?.({ model }) ?? []).map(async ({ from, to, traits: others }) => ({
    from,
    to,
    drawn: await drawn(module, { ...traits, ...others }),
  }));
  return {
    rows: table?.({ model }) ?? null,
    answer: answer?.({ model }) ?? "",
    first: await drawn(module, traits),
    remembered: await Promise.all(states),
  };
}

const all = [];
for (const widget of asked.widgets) {
  all.push(await prerender(await moduleOf(widget.state._esm), valuesOf(widget)));
}
process.stdout.write(JSON.stringify(all));
