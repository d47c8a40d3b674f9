// Reads one formula a line as JSON and writes its HTML, one line each; see katex.py.
const katex = require(process.argv[2]);
const options = {
  // \htmlClass colours the book's symbols; nothing else that KaTeX mistrusts is allowed
  trust: ({ command }) => command === "\\htmlClass",
  strict: (code) => (code === "htmlExtension" ? "ignore" : "error"),
};
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { latex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(latex, { ...options, displayMode: display }) };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
});
