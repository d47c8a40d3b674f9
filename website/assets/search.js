// Finds sections and terms as a reader types, on the page for searching and in the dialog of every other.
// MiniSearch ranks them; book.js loads this script when a field is first used.
"use strict";

(() => {
  const MOST = { dialog: 8, page: 60 }; // results that are listed
  const LONGEST = 160; // characters of a line
  const STOP = new Set(
    "a an and are as at be by can do does for from how i in is it its of on or that the this to was what when which who why with".split(
      " ",
    ),
  );
  const WORD = /[\p{L}\p{N}]+|√/gu;
  const root = document.documentElement.dataset.content_root;
  const index = new MiniSearch({
    fields: ["title", "text", "veiled"],
    storeFields: ["name", "page", "title", "text"],
    tokenize: (text) => text.match(WORD) ?? [],
    processTerm,
  });
  let letters = null; // of Greek, with their names, as soon as the texts are there

  /** The forms under which a word is known: without its plural, and Greek letters by their names. */
  function processTerm(word) {
    const small = word.toLowerCase();
    if (STOP.has(small)) return null;
    if (small === "√") return "sqrt";
    const one = small.length > 3 ? small.replace(/([^su])s$/, "$1") : small;
    const named = [...small].map((letter) => letters[letter]).filter(Boolean);
    return named.length === small.length ? named : [one, ...named];
  }

  const known = (text) => (text.match(WORD) ?? []).flatMap(processTerm).filter(Boolean);

  window.attnSections = (greek, pages) => {
    letters = greek;
    const documents = pages.flatMap(([name, page, sections]) =>
      sections.map(([id, title, text, veiled = ""]) => {
        return { id: `${name}.html${id && "#"}${id}`, name, page, title, text, veiled };
      }),
    );
    index.addAll(documents);
    show();
  };

  // ---- which sections, in which order

  /** What a result is worth beside its words: explanations before lists, a whole heading before its words. */
  function worth(id, query, { name, title }) {
    const isList = !name.startsWith("chapters/") && name !== "book/glossary";
    const kind = name.startsWith("book/reference/") ? 0.3 : isList ? 0.5 : 1;
    const isWhole = known(title.replace(/ \(.*/, "")).join(" ") === query;
    return kind * (isWhole ? 3 : 1) * (id.includes("#") ? 1 : 1.1);
  }

  function find(query) {
    const asked = known(query).join(" ");
    const options = {
      boost: { title: 5, veiled: 0.5 },
      boostDocument: (id, _, stored) => worth(id, asked, stored),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.1 },
    };
    const all = index.search(query, { ...options, combineWith: "AND" });
    return all.length ? [all, true] : [index.search(query, options), false];
  }

  // ---- a form and its results

  function element(kind, name, ...inside) {
    const made = document.createElement(kind);
    made.className = name;
    made.append(...inside);
    return made;
  }

  function attach(form) {
    const field = form.querySelector("input");
    const inPage = !form.closest("dialog"); // Enter in the dialog leads there
    const summary = element("p", "search-summary");
    summary.role = "status";
    const list = element("ol", "");
    const results = element("div", "", summary, list);
    results.id = "search-results";
    form.after(results);
    if (inPage) field.value ||= new URLSearchParams(location.search).get("q") ?? "";
    const show = () => {
      const query = field.value.trim();
      results.hidden = !query;
      if (inPage && (query || location.search))
        history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
      if (!letters || !query) {
        summary.textContent = query && "The texts are on their way.";
        list.replaceChildren();
        return;
      }
      const [found, hasAll] = find(query);
      const most = found.slice(0, inPage ? MOST.page : MOST.dialog);
      const more = inPage ? "" : " (Enter lists more)";
      summary.textContent = said(query, found.length, most.length, hasAll, more);
      list.replaceChildren(...most.map((result) => listed(result, query)));
    };
    field.addEventListener("input", show);
    form.addEventListener("submit", (event) => inPage && event.preventDefault());
    move(form.parentElement, field, list);
    show();
    return show;
  }

  /** The arrows lead from the field to the results, and back. */
  function move(around, field, list) {
    around.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement);
      if (!step || at < 0 || !stops[at + step]) return;
      event.preventDefault();
      stops[at + step].focus();
    });
  }

  function said(query, count, shown, hasAll, more) {
    if (!count) return `Nothing was found for “${query}”.`;
    const many = count === 1 ? "One place" : `${count} places`;
    const which = hasAll ? "" : " with some of these words";
    return `${many}${which}${shown < count ? `; the first ${shown}${more}` : ""}:`;
  }

  function listed({ id, name, page, title, text, terms }, query) {
    const words = new Set(terms);
    const link = element("a", "", ...marked(named(name, page, title), new Set()));
    link.href = root + id;
    link.addEventListener("click", () => {
      // what Sphinx marks on the page that opens
      localStorage.setItem("sphinx_highlight_terms", known(query).join(" "));
    });
    const where = element(
      "span",
      "attn-found-in",
      place(name, named(name, page, title) === page ? "" : page),
    );
    return element(
      "li",
      "",
      link,
      element("p", "attn-found", where, ...marked(line(text, words), words)),
    );
  }

  function named(name, page, title) {
    return name === "book/glossary" && title !== page ? `${page}: ${title}` : title || page;
  }

  function place(name, page) {
    const [, number, letter] = /^chapters\/(?:0?(\d+)|([a-z]))-/.exec(name) ?? [];
    const kind = number ? `Chapter ${number}` : letter && `Study ${letter.toUpperCase()}`;
    const said = [kind, name === "book/glossary" ? "" : page].filter(Boolean).join(". ");
    return said && `${said} · `;
  }

  /** The part of a text around its first word that was found, in whole words. */
  function line(text, words) {
    const first = [...text.matchAll(WORD)].find(([word]) => isOne(word, words));
    const from = text.lastIndexOf(" ", Math.max(0, (first?.index ?? 0) - LONGEST / 3)) + 1;
    const to = text.length > from + LONGEST ? text.lastIndexOf(" ", from + LONGEST) : text.length;
    return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
  }

  const isOne = (word, words) => [processTerm(word)].flat().some((term) => words.has(term));

  function marked(text, words) {
    const parts = text.split(new RegExp(`(${WORD.source})`, "u"));
    return parts.map((part, n) =>
      n % 2 && isOne(part, words) ? element("strong", "", part) : part,
    );
  }

  const forms = document.querySelectorAll(".bd-search-container form, dialog form.bd-search");
  const show = attach([...forms].find((form) => !form.closest("dialog")) ?? forms[0]);
})();
