// The article of the page that is shown, as XHTML for an EPUB; see epub.py. What paper shows is copied
// from the page as it stands, so that nothing in the copy needs the page's scripts and style sheets.
const XHTML = "http://www.w3.org/1999/xhtml";
const LEFT_OUT = ".headerlink, .visually-hidden, .attn-code.hide, svg:not([role])";
const NO_TEXT = /^(button|input|progress|select|textarea)$/;
const ATTRIBUTES = /^(alt|colspan|dir|id|lang|rowspan|scope|src|start|title)$/;
const CLASSES = /^(attn-(claim|effort|hint|kicker|lead)|output|[kc])$/;
// what style sheets say about drawings; where it is the same for the parent, it is not said
const DRAWN = ["fill", "fill-opacity", "opacity", "stroke", "stroke-width", "stroke-dasharray"];
DRAWN.push("stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-dashoffset");
const WRITTEN = ["font-size", "font-weight", "font-style", "font-family", "text-anchor"];

function make(tag, children, facts = {}) {
  const node = document.createElementNS(XHTML, tag);
  node.append(...children);
  for (const [name, value] of Object.entries(facts)) node.setAttribute(name, value);
  return node;
}

const copies = (node) => [...node.childNodes].flatMap(copy);
const words = (node) => node.textContent.replaceAll(/\s+/g, " ").trim();

function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return [node.cloneNode()];
  if (node.nodeType !== Node.ELEMENT_NODE || NO_TEXT.test(node.localName)) return [];
  if (node.matches(LEFT_OUT)) return [];
  // the front page hides its title on paper
  if (getComputedStyle(node).display === "none" && node.localName !== "h1") return [];
  const special = Object.keys(SPECIAL).find((selector) => node.matches(selector));
  return special ? SPECIAL[special](node) : [plain(node)];
}

function plain(node, children = copies(node), tag = node.localName) {
  const facts = [...node.attributes].filter(({ name }) => ATTRIBUTES.test(name));
  const classes = [...node.classList].filter((name) => CLASSES.test(name)).join(" ");
  const made = make(
    tag,
    children,
    Object.fromEntries(facts.map(({ name, value }) => [name, value])),
  );
  if (/^(codecell|attn-named)/.test(made.id)) made.removeAttribute("id");
  if (classes) made.className = classes;
  if (getComputedStyle(node).listStyleType === "none" && tag === "ol") made.className = "plain";
  if (node.href) made.setAttribute("href", node.href);
  return made;
}

// The first whose selector fits says what stands in an element's place.
const SPECIAL = {
  ".attn-widget[data-widget=Prediction]": (node) => [
    make("p", [make("strong", [words(node.querySelector(".attn-question"))])]),
    make(
      "ul",
      [...node.querySelectorAll(".attn-choice")].map((one) => make("li", [words(one)])),
    ),
  ],
  // by this way of writing its address, the live one is not taken for the picture's place in the book
  ".attn-widget": (node) => {
    const picture = make("img", [], { src: node.dataset.picture, alt: summary(node) });
    const href = `${location.origin}/.${location.pathname}#${node.id}`;
    return [make("p", [make("a", [picture], { href })], { id: node.id })];
  },
  ".katex": (node) => [formula(node)],
  svg: (node) => [drawing(node)],
  ".attn-claim-more": (node) => [
    make("p", [words(node.querySelector("summary"))], { class: "attn-hint" }),
  ],
  "summary:has(h2, h3)": copies,
  "details:has(> summary)": (node) => [plain(node, copies(node), "div")],
  summary: (node) => [make("p", [make("strong", copies(node))])],
  ".attn-side-cost": (node) => [make("p", [words(node)], { class: "attn-hint" })],
  ".attn-solutions": (node) => [make("section", copies(node), { id: "solutions" })],
  "a:not([href]), span:not([id], [class*=attn-], .k, .c)": copies,
  "attn-veiled, attn-remembered, fieldset, form, label, legend": copies,
};

function summary(place) {
  const { model_id: key } = JSON.parse(place.querySelector("script").text);
  const states = document.querySelectorAll(
    'script[type="application/vnd.jupyter.widget-state+json"]',
  );
  return (
    [...states].map(({ text }) => JSON.parse(text).state[key]).find(Boolean).state.summary ?? ""
  );
}

function formula(node) {
  const math = node.querySelector("math").cloneNode(true);
  for (const one of [math, ...math.querySelectorAll("*")]) {
    for (const name of ["class", "style"]) one.removeAttribute(name);
  }
  if (node.closest(".katex-display")) math.setAttribute("display", "block");
  if (node.dataset.tex) math.setAttribute("alttext", node.dataset.tex);
  return math;
}

// A reader's own colours stay out of a drawing, which has a ground of its own.
function drawing(svg) {
  const made = svg.cloneNode(true);
  const live = [svg, ...svg.querySelectorAll("*")];
  for (const [n, one] of [made, ...made.querySelectorAll("*")].entries()) {
    const [style, above] = [live[n], live[n].parentNode].map((node) => getComputedStyle(node));
    const names = one.localName === "text" || one.localName === "tspan" ? WRITTEN : [];
    for (const name of ["class", "style", "data-live"]) one.removeAttribute(name);
    for (const name of [...DRAWN, ...names]) {
      if (n && style[name] === above[name] && !one.hasAttribute(name)) continue;
      one.setAttribute(name, style[name].replaceAll("px", ""));
    }
    // a line behind letters would cover them where a reader does not know the order of painting
    if (style.paintOrder !== "normal") one.setAttribute("stroke", "none");
  }
  const ground = document.createElementNS(made.namespaceURI, "rect");
  const facts = { width: "100%", height: "100%", fill: "#fff", stroke: "none" };
  for (const [name, value] of Object.entries(facts)) ground.setAttribute(name, value);
  made.prepend(ground);
  return made;
}

function article() {
  const body = make("body", copies(document.querySelector("article:has(h1)") ?? document.body));
  const headings = [...body.querySelectorAll("h2")];
  const sections = headings.map((one) => [words(one), one.id || one.parentNode.id]);
  const kinds = Object.entries({ math: "mathml", svg: "svg" }); // what a reader is to be told of
  return {
    title: words(body.querySelector("h1")),
    sections: sections.filter(([, id]) => id),
    holds: kinds.filter(([tag]) => body.querySelector(tag)).map(([, kind]) => kind),
    changed: document.querySelector(".attn-changed time")?.dateTime ?? "",
    body: new XMLSerializer().serializeToString(body),
  };
}

article();
