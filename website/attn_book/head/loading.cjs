// Joins style sheets, drops the rules that no page can use, and writes the others in a way that all
// supported browsers know; see loading.py.
// Standard input: { esbuild, lightningcss, folder, sheets, files, words, browsers }; `contents`
// represents what the folder contains.
// Output: { css, files }; `files` maps each file's name beside the sheet to where it comes from.
const { readFileSync } = require("node:fs");
const { basename } = require("node:path");
const asked = JSON.parse(readFileSync(0, "utf8"));
const esbuild = require(asked.esbuild);
const { transform } = require(asked.lightningcss);

const bundle = () =>
  esbuild.build({
    stdin: {
      contents: asked.sheets.map((sheet) => `@import "./${sheet}";`).join("\n"),
      loader: "css",
      resolveDir: asked.folder,
    },
    absWorkingDir: asked.folder,
    bundle: true,
    write: false,
    metafile: true,
    outdir: asked.folder,
    assetNames: "[name]-[hash]",
    loader: Object.fromEntries(asked.files.map((suffix) => [suffix, "file"])),
    logLevel: "silent",
  });

// Names of classes and ids with a part that occurs nowhere in the pages and scripts: a rule that
// asks for one never applies. Escapes such as \/ separate words, too. What is also the name of
// something else, such as text-wrap, stays: lightningcss would drop the property with the class.
function unusedNames(css) {
  const CLASS_OR_ID = /[.#]((?:[\w-]|\\.)+)/g;
  const words = new Set(asked.words);
  const others = new Set(css.replace(CLASS_OR_ID, " ").match(/[\w-]+/g));
  const names = [...css.matchAll(CLASS_OR_ID)].map(([, name]) => name.replace(/\\(.)/g, "$1"));
  const used = (name) =>
    others.has(name) || (name.match(/[\w-]+/g) ?? []).every((word) => words.has(word));
  return [...new Set(names)].filter((name) => !used(name));
}

// As lightningcss wants a version: "15.6" has a byte for 15 and one for 6.
function numbered(version) {
  const [major, minor = 0] = version.split(".").map(Number);
  return (major << 16) | (minor << 8);
}

function filesOf({ outputs }, css) {
  const files = Object.entries(outputs).map(([output, { inputs }]) => [
    basename(output),
    Object.keys(inputs)[0],
  ]);
  return Object.fromEntries(files.filter(([name]) => !name.endsWith(".css") && css.includes(name)));
}

bundle()
  .then(({ outputFiles, metafile }) => {
    const { text, contents } = outputFiles.find(({ path }) => path.endsWith(".css"));
    const made = transform({
      filename: "all.css",
      code: contents,
      minify: true,
      targets: Object.fromEntries(
        asked.browsers.map(([name, version]) => [name, numbered(version)]),
      ),
      unusedSymbols: unusedNames(text),
    });
    const css = made.code.toString();
    process.stdout.write(JSON.stringify({ css, files: filesOf(metafile, css) }));
  })
  .catch(({ message }) => {
    process.stderr.write(message);
    process.exitCode = 1;
  });
