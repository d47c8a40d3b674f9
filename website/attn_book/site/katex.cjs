// Reads { katex, formulas }, which are each [display, latex, tex], and writes their HTML as JSON; see
// katex.py.
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const katex = require(asked.katex);
const options = {
  // \htmlClass colours the book's symbols; nothing else that KaTeX mistrusts is allowed
  trust: ({ command }) => command === "\\htmlClass",
  strict: (code) => (code === "htmlExtension" ? "ignore" : "error"),
};
// MathML counts the children of these. KaTeX writes the name of a function as two elements, the name
// and a sign for its application, and does not join the two in \alpha_{\max} or \frac{1}{\exp}.
const COUNTED = /^(msub|msup|msubsup|mfrac|mover|munder|munderover|mroot)$/;

function set([displayMode, latex, tex]) {
  const tree = katex.__renderToDomTree(latex, { ...options, displayMode });
  group(tree);
  slim(tree);
  keep(tree.hasClass("katex-display") ? tree.children[0] : tree, tex);
  return tree.toMarkup();
}

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

// Classes that say what a letter is, and lay out nothing.
const PLAIN = /^(mord|mop|mbin|mrel|mopen|mclose|mpunct|minner|mtight|enclosing|attn-is-.*|)$/;

/** Write the same picture with fewer elements, a third of what a page's formulas have: an index alone
 *  is moved, where KaTeX makes a table of it; a space belongs to what stands before it; an element
 *  that only holds another one hands on its classes; MathML needs no row of one, nor a row of all. */
function slim(node) {
  if (!node.children) return;
  node.children.forEach(slim);
  const [table, ...others] = node.children;
  if (node.hasClass?.("msupsub") && !others.length) {
    const [row] = table.children;
    const [index, ...more] = row.children[0].children;
    if (!more.length && index.children.length === 2) {
      const [strut, letters] = index.children;
      const top = Number.parseFloat(strut.style.height) + Number.parseFloat(index.style.top);
      const { marginLeft, marginRight } = index.style;
      Object.assign(node.style, { position: "relative", top: `${+top.toFixed(4)}em` });
      Object.assign(node.style, marginLeft && { marginLeft }, marginRight && { marginRight });
      node.children = [letters];
    }
  }
  node.children = node.children.reduce((kept, child) => {
    const last = kept.at(-1);
    const space = child.hasClass?.("mspace") && child.style.marginRight;
    if (space && last?.style && !last.italic && !last.style.marginRight && !last.hasClass("strut"))
      last.style.marginRight = space;
    else kept.push(child);
    return kept;
  }, []);
  node.children = node.children.map((child) => {
    const [inner, ...rest] = child.children ?? [];
    if (!inner || rest.length) return child;
    if (child.type === "mrow") return inner;
    if (child.type === "math" && inner.type === "mrow") child.children = inner.children;
    const holds = child.style && inner.style && child.classes.every((name) => PLAIN.test(name));
    if (!holds || Object.keys(child.style).length) return child;
    for (const name of child.classes) if (name && !inner.hasClass(name)) inner.classes.push(name);
    return inner;
  });
}

const made = [];
for (const formula of asked.formulas) {
  try {
    made.push(set(formula));
  } catch ({ message }) {
    process.stderr.write(`${formula[2]}: ${message}\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(JSON.stringify(made));
