// What a widget's own module says that it shows, without a browser: rows of a table, and an answer.
// Standard input: [{ state, buffers }], as a notebook keeps them; output: [[rows or null, answer]].
import { readFileSync } from "node:fs";

function getter({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));
    const parent = path.slice(0, -1).reduce((object, key) => object[key], state);
    parent[path.at(-1)] = new DataView(bytes.buffer);
  }
  return (name) => state[name];
}

const modules = new Map();
const contents = [];
for (const widget of JSON.parse(readFileSync(0, "utf8"))) {
  const source = Buffer.from(widget.state._esm).toString("base64");
  if (!modules.has(source)) {
    modules.set(source, await import(`data:text/javascript;base64,${source}`));
  }
  const { table, answer } = modules.get(source);
  const shown = { model: { get: getter(widget) } };
  contents.push([table ? table(shown) : null, answer ? answer(shown) : ""]);
}
process.stdout.write(JSON.stringify(contents));
