// What Sphinx's search lacks: headings come first, and each result says its chapter and shows a line of
// its text. The texts are files of their own, which are loaded only for the pages that were found.
"use strict";

(() => {
  const LONGEST = 160; // characters of a line
  const { _performSearch: searchPages } = Search;
  const stemmer = new Stemmer();
  const texts = new Map(); // of pages, each with those who wait for it
  let words = [];

  // ---- headings that contain all terms come before pages that do

  Search._performSearch = (query, terms, excluded, highlight, objects) => {
    words = [...highlight];
    const first = terms.size ? headings([...terms], query.trim().toLowerCase()) : [];
    const place = ([name, , anchor]) => name + anchor;
    const known = new Set(first.map(place));
    const pages = searchPages(query, terms, excluded, highlight, objects);
    return [...pages.filter((result) => !known.has(place(result))), ...first]; // the best is last
  };

  function headings(terms, query) {
    const { alltitles, docnames, filenames, titles } = Search._index;
    const found = [];
    for (const [title, places] of Object.entries(alltitles)) {
      const own = splitQuery(title.toLowerCase()).map((word) => stemmer.stemWord(word));
      if (!terms.every((term) => own.some((word) => word.startsWith(term)))) continue;
      for (const [file, id] of places) {
        const isPage = titles[file] === title;
        const share = query.length / title.length; // of the heading that was asked for
        const score = 100 + (isPage ? 100 : 0) + Math.min(99, Math.round(99 * share));
        found.push([docnames[file], title, id ? `#${id}` : "", null, score, filenames[file]]);
      }
    }
    return found.sort((a, b) => a[4] - b[4] || b[1].localeCompare(a[1]));
  }

  // ---- the line below a result

  window.attnFound = (name, sections) => {
    for (const show of texts.get(name)) show(sections);
    texts.set(name, { push: (show) => show(sections) });
  };

  function load(name, show) {
    if (!texts.has(name)) {
      texts.set(name, []);
      const script = document.createElement("script");
      script.src = `_static/found/${name.replaceAll("/", "-")}.js`;
      document.head.append(script);
    }
    texts.get(name).push(show);
  }

  function describe(result) {
    const link = result.querySelector("a");
    const name = link.getAttribute("href").replace(/\.html(#.*)?$/, "");
    const line = document.createElement("p");
    line.className = "attn-found";
    line.append(chapter(name, link.textContent));
    result.append(line);
    load(name, (sections) => {
      const id = decodeURIComponent(link.hash.slice(1));
      const own = sections.filter(([section]) => section === id);
      line.append(...lineOf(id ? own : sections));
    });
  }

  /** Where a result is, unless its own words say so. */
  function chapter(name, said) {
    const { docnames, titles } = Search._index;
    const title = titles[docnames.indexOf(name)].replace(/<[^>]*>/g, "");
    const [, number, letter] = /^chapters\/(?:0?(\d+)|([a-z]))-/.exec(name) ?? [];
    const place = number ? `Chapter ${number}` : letter && `Study ${letter.toUpperCase()}`;
    const own = document.createElement("span");
    own.className = "attn-found-in";
    const whole = said === title || name === "book/glossary" ? "" : title;
    own.textContent = [place, whole].filter(Boolean).join(". ");
    return own;
  }

  /** The part of the text around the first word that was searched for, in whole words. */
  function lineOf(sections) {
    const pattern = words.map(alternatives).join("|");
    const asked = pattern && new RegExp(`(?:^|[^\\p{L}\\p{N}])(${pattern})`, "iu");
    const place = (text) => (asked ? text.search(asked) : -1);
    const [, text] = sections.find(([, text]) => place(text) >= 0) ?? sections[0] ?? ["", ""];
    const from = text.lastIndexOf(" ", Math.max(0, place(text) - LONGEST / 3)) + 1;
    const to = text.length > from + LONGEST ? text.lastIndexOf(" ", from + LONGEST) : text.length;
    const line = `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
    if (!pattern) return [line];
    const parts = line.split(new RegExp(`(${pattern})`, "iu"));
    return parts.map((part, n) => (n % 2 ? marked(part) : part));
  }

  /** A Greek letter is searched for by its name, and stands in the text as itself. */
  function alternatives(word) {
    const place = greek.indexOf(word);
    const escaped = word.replace(/[^\p{L}\p{N}]/gu, "\\$&");
    return place < 0 ? escaped : `${escaped}(?!\\p{L})|${String.fromCharCode(945 + place)}`;
  }

  function marked(word) {
    const mark = document.createElement("strong");
    mark.textContent = word;
    return mark;
  }

  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.matches?.("ul.search > li")) describe(node);
      }
    }
  }).observe(document.querySelector("#search-results"), { childList: true, subtree: true });
})();
