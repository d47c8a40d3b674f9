// Turns SVG into PNG: reads {file: svg} as JSON and writes each file; see cards.py.
const fs = require("node:fs");
const path = require("node:path");

const [, , folder, fonts, face] = process.argv;
const { initWasm, Resvg } = require(folder);
const options = {
  font: {
    // none of this machine's fonts, so that the pictures are the same everywhere
    fontBuffers: fs
      .readdirSync(fonts)
      .filter((name) => /^DejaVu(Sans|SansMono|Serif)(-Bold)?\.ttf$/.test(name))
      .map((name) => path.join(fonts, name))
      .concat(face || [])
      .map((file) => fs.readFileSync(file)),
    defaultFontFamily: "DejaVu Sans",
    sansSerifFamily: "DejaVu Sans",
    serifFamily: "DejaVu Serif",
    monospaceFamily: "DejaVu Sans Mono",
  },
};

(async () => {
  await initWasm(fs.readFileSync(path.join(folder, "index_bg.wasm")));
  for (const [file, svg] of Object.entries(JSON.parse(fs.readFileSync(0, "utf8")))) {
    fs.writeFileSync(`${file}.new`, new Resvg(svg, options).render().asPng());
    fs.renameSync(`${file}.new`, file); // a file is complete or missing
  }
})();
