// Reads one formula per line as JSON and writes its HTML, also one per line; see katex.py.
const katex = require(process.argv[2]);
const options = {
  // \htmlClass colours the book's symbols; nothing else that KaTeX mistrusts is allowed
  trust: ({ command }) => command === "\\htmlClass",
  strict: (code) => (code === "htmlExtension" ? "ignore" : "error"),
};
// MathML counts the children of these. KaTeX writes the name of a function as two elements, the name
// and a sign for its application, and does not join the two in \alpha_{\max} or \frac{1}{\exp}.
const COUNTED = /^(msub|msup|msubsup|mfrac|mover|munder|munderover|mroot)$/;
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { latex, display, tex } = JSON.parse(line);
  let answer;
  try {
    const tree = katex.__renderToDomTree(latex, { ...options, displayMode: display });
    group(tree);
    keep(tree.hasClass("katex-display") ? tree.children[0] : tree, tex);
    answer = { html: tree.toMarkup() };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
});

/** Keep the TeX for readers who copy a formula (book.js), unless it says what the letters say. */
function keep(formula, tex) {
  formula.setAttribute("translate", "no");
  const [{ children }] = formula.children;
  delete children[0].attributes.xmlns; // a page in HTML needs none
  if (children[0].toText() !== tex) formula.setAttribute("data-tex", tex);
}

/** Leave out the element for the TeX, which `keep` writes shorter, and join what KaTeX wrote as
 *  several where MathML counts: a fragment has no type. */
function group(node) {
  if (!node.children) return;
  node.children = node.children
    .filter(({ type }) => type !== "annotation")
    .flatMap((child) => (child.type === "semantics" ? child.children : [child]))
    .filter(({ type }) => type !== "annotation");
  node.children.forEach(group);
  if (!COUNTED.test(node.type)) return;
  const row = (child) =>
    child.children && !child.type ? new node.constructor("mrow", child.children) : child;
  node.children = node.children.map(row);
}
