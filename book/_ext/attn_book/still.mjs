// What a widget's own module says that it shows, as rows of a table, without a browser.
// Standard input: [{ module, state, buffers }], as a notebook keeps them; output: [rows or null].
import { readFileSync } from "node:fs";

function valueOf({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));
    const parent = path.slice(0, -1).reduce((object, key) => object[key], state);
    parent[path.at(-1)] = new DataView(bytes.buffer);
  }
  return (name) => state[name];
}

const modules = new Map();
const tables = [];
for (const widget of JSON.parse(readFileSync(0, "utf8"))) {
  const source = Buffer.from(widget.state._esm).toString("base64");
  if (!modules.has(source)) {
    modules.set(source, await import(`data:text/javascript;base64,${source}`));
  }
  const { table } = modules.get(source);
  tables.push(table ? table({ model: { get: valueOf(widget) } }) : null);
}
process.stdout.write(JSON.stringify(tables));
