// What supported browsers do not know in style sheets and scripts; see test_browsers.py.
// Standard input: { doiuse, postcss, esbuild, root, files, targets }.
// Output: for each file a list of [feature, sentence].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const asked = JSON.parse(readFileSync(0, "utf8"));
process.chdir(asked.root); // where the browsers are named
const doiuse = require(asked.doiuse);
const postcss = require(asked.postcss);
const esbuild = require(asked.esbuild);
const found = {};

// `partially supported` is caniuse's word for a detail or a fault, which no page relies on
function ofSheet(file, text) {
  const onFeatureUsage = ({ feature, message, usage }) => {
    if (/ not supported by: /.test(message)) found[file].push([feature, `${message} ${usage}`]);
  };
  void postcss([(doiuse.default ?? doiuse)({ onFeatureUsage })]).process(text, { from: file }).css;
}

// esbuild rewrites what the targets do not know, so a script that they know stays as it is
function ofScript(file, text) {
  const options = { minify: false, charset: "utf8", logLevel: "silent" };
  const plain = esbuild.transformSync(text, { ...options, target: "esnext" }).code;
  const known = esbuild.transformSync(text, { ...options, target: asked.targets }).code;
  if (plain !== known) found[file].push(["syntax", "esbuild writes it in another way"]);
}

for (const file of asked.files) {
  found[file] = [];
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".css")) ofSheet(file, text);
  else ofScript(file, text);
}
process.stdout.write(JSON.stringify(found));
