// The page's own behaviour: menus, search, jumps, the place in the contents, the keyboard, copies.
"use strict";

(() => {
  const REST = 600; // milliseconds: who types on does not pause for longer
  const wide = window.matchMedia("(min-width: 992px)");
  const widest = window.matchMedia("(min-width: 1500px)"); // the contents beside the page
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  function move(from, to) {
    to.append(...from.childNodes);
    to.classList.add(...from.classList);
    from.className = "";
  }

  // An entry of a sidebar that scrolls by itself is brought into sight, if it is not.
  function bringIntoSight(link, sidebar) {
    const [box, frame] = [link, sidebar].map((node) => node.getBoundingClientRect());
    if (box.top < frame.top || box.bottom > Math.min(frame.bottom, window.innerHeight)) {
      sidebar.scrollTop += box.top - frame.top - frame.height / 3;
    }
  }

  // Within a sidebar, the innermost of what is marked: its lists are marked too.
  const currentIn = (sidebar) => [...sidebar.querySelectorAll(".active")].at(-1);

  // The menu opens at the page that is shown, also where its size changes.
  function menu() {
    const sidebar = find("#pst-primary-sidebar");
    const current = sidebar && currentIn(sidebar);
    if (current) new ResizeObserver(() => bringIntoSight(current, sidebar)).observe(sidebar);
  }

  // A sidebar that does not fit a narrow screen opens as a dialog.
  function drawer(side, whenWide) {
    const button = find(`.${side}-toggle`);
    const sidebar = find(`#pst-${side}-sidebar`);
    const dialog = find(`#pst-${side}-sidebar-modal`);
    if (!button || !sidebar || !dialog) return;
    dialog.setAttribute("aria-label", button.textContent.trim());

    button.addEventListener("click", () => {
      if (whenWide && wide.matches) {
        whenWide(sidebar);
      } else {
        move(sidebar, dialog);
        dialog.showModal();
        currentIn(dialog)?.scrollIntoView({ block: "center" });
      }
    });
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog || target.closest("a, .attn-close")) dialog.close();
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // Sphinx's own listener would keep the dialog open
      dialog.close();
    });
    dialog.addEventListener("close", () => move(dialog, sidebar));
    for (const width of [wide, widest]) width.addEventListener("change", () => dialog.close());
  }

  function search() {
    const dialog = find("#pst-search-dialog");
    const field = find(".bd-search-container input") ?? dialog.querySelector("input");
    const isAsked = dialog.contains(field) || location.search;
    field.addEventListener(isAsked ? "focus" : "input", loadSearch, { once: true });
    const open = () => {
      if (dialog.contains(field)) dialog.showModal();
      field.focus();
      field.select();
    };
    for (const button of all(".attn-search, .search-button__button")) {
      button.addEventListener("click", open);
    }
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        open();
      }
    });
    if (!dialog.contains(field)) open();
  }

  // What the search needs, loaded when a reader first goes to a field; the scripts run in this order.
  function loadSearch() {
    for (const name of ["minisearch", "search", "sections"]) {
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.content_root}_static/${name}.js`;
      script.async = false;
      script.onerror = () => {
        const fault = document.createElement("p");
        fault.role = "alert";
        fault.textContent = `The search lacks ${name}.js, which did not arrive. Load this page anew.`;
        for (const form of all("form.bd-search")) form.after(fault);
      };
      document.head.append(script);
    }
  }

  // Sphinx's link for hiding the marks of a search has code as its address, which the policy forbids.
  function marks() {
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".highlight-link a")) return;
      event.preventDefault();
      SphinxHighlight.hideSearchWords();
    });
  }

  const PATIENCE = 5000; // milliseconds after a jump, for what still loads
  let goal = null; // where the last jump led, until the reader moves on

  function partOf(hash) {
    try {
      return document.getElementById(decodeURIComponent(hash.slice(1)));
    } catch {
      return null; // typed by the reader
    }
  }

  // A jump stops where it leads. All of the page is laid out first (early.js), since parts that turn
  // out higher than estimated would push the place away. What comes later and changes heights, such as
  // the fonts of formulas, is made up for unless the reader has moved on. Other scripts send `attn-go`
  // from where they lead.
  function jumps() {
    const { dataset } = document.documentElement;
    const FOLD = "details:not([open])";
    const SIDE_ROAD = ":scope > .attn-side-road:not([open])"; // of the section itself
    const stay = () => {
      const { part, block, until, hash } = goal ?? { until: 0 };
      if (hash && hash !== location.hash) return; // Firefox first keeps where the reader was
      if (performance.now() < until) part.scrollIntoView({ block, behavior: "instant" });
    };
    const folded = (part) => part.closest(FOLD) ?? part.querySelector(SIDE_ROAD);
    const aim = (part, block = "start", hash = "") => {
      dataset.whole = "";
      for (let fold = folded(part); fold; fold = folded(part)) fold.open = true;
      goal = { part, block, until: performance.now() + PATIENCE, hash };
    };
    const go = (part, block) => {
      aim(part, block);
      stay();
    };
    document.addEventListener("click", (event) => {
      const { defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey) return;
      const link = event.target.closest("a[href*='#']");
      const part = link?.pathname === location.pathname && partOf(link.hash);
      if (part && !part.closest(".attn-veil[hidden]")) aim(part, "start", link.hash); // the browser goes
    });
    document.addEventListener("attn-go", ({ target, detail }) => go(target, detail?.block));
    window.addEventListener("hashchange", () => {
      const part = partOf(location.hash); // a typed one: a way back finds the page whole
      if (part && (!("whole" in dataset) || folded(part))) go(part);
    });
    window.addEventListener("popstate", () => {
      if (goal && partOf(location.hash) !== goal.part) goal = null; // the way back leads elsewhere
    });
    for (const input of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      window.addEventListener(input, () => (goal = null), { passive: true, capture: true });
    }
    const [navigation] = performance.getEntriesByType("navigation");
    if (navigation?.type === "navigate" && partOf(location.hash)) {
      go(partOf(location.hash));
      window.addEventListener("load", () => goal && go(goal.part, goal.block));
    }
    new ResizeObserver(stay).observe(find("article") ?? document.body);
  }

  // A place that has moved leads on: attn_book/notebooks/moved.py.
  function moved() {
    const follow = () => {
      const place = partOf(location.hash);
      if (place?.matches(".attn-former")) location.replace(place.href);
    };
    window.addEventListener("hashchange", follow);
    follow();
  }

  // Marks the section that is being read in the table of contents, and keeps the mark in view.
  function contents() {
    const links = all("#pst-page-toc-nav a");
    const sidebar = find("#pst-secondary-sidebar");
    const titles = links.map((link) => partOf(link.hash));
    const readNow = () => {
      const seen = titles.filter((title) => title && !title.closest("[hidden]"));
      if (seen.includes(goal?.part)) return goal.part;
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      if (scrollTop > 0 && scrollTop + clientHeight > scrollHeight - 2) return seen.at(-1);
      return seen.filter((title) => title.getBoundingClientRect().top < 120).at(-1);
    };
    const mark = () => {
      const read = readNow();
      links.forEach((link, place) => {
        const here = titles[place] === read && read !== undefined;
        if (here && !link.classList.contains("active")) bringIntoSight(link, sidebar);
        link.classList.toggle("active", here);
        if (here) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
    };
    if (links.length) document.addEventListener("scroll", mark, { passive: true });
  }

  // What is copied of a formula is its TeX. Its letters, each on a line of its own, are there twice:
  // once to be seen and once to be heard.
  function formulas() {
    const whole = (node) => {
      const at = node.closest ? node : node.parentElement;
      return at.closest(".katex-display") ?? at.closest(".katex");
    };
    document.addEventListener("copy", (event) => {
      const selection = window.getSelection();
      if (event.target.closest?.("input, textarea") || selection.isCollapsed) return;
      const range = selection.getRangeAt(0).cloneRange();
      const [first, last] = [whole(range.startContainer), whole(range.endContainer)];
      if (first) range.setStartBefore(first);
      if (last) range.setEndAfter(last);
      const copy = range.cloneContents();
      const found = copy.querySelectorAll(".katex");
      if (!found.length) return;
      for (const formula of found) {
        const tex = formula.dataset.tex ?? formula.querySelector("math").textContent;
        const sign = formula.parentElement?.matches(".katex-display") ? "$$" : "$";
        formula.replaceWith(`${sign}${tex}${sign}`);
      }
      const text = document.createElement("div");
      text.append(copy);
      event.clipboardData.setData("text/html", text.innerHTML);
      document.body.append(text); // lines are broken as on the page
      event.clipboardData.setData("text/plain", text.innerText);
      text.remove();
      event.preventDefault();
    });
  }

  // The table of contents shares the margin with notes, and is hidden while one is in view.
  function margin() {
    const sidebar = find("#pst-secondary-sidebar");
    const seen = new Set();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      sidebar.classList.toggle("hide", seen.size > 0);
    });
    if (sidebar) all(".margin, .sidebar, .tag_margin").forEach((note) => observer.observe(note));
  }

  // What scrolls sideways must be reachable without a mouse. A ResizeObserver reports sizes, so
  // nothing is laid out just for this, and what is folded costs nothing until it is opened.
  function tabStops() {
    const boxes = all("pre, div.math, .cell_output > .output, .pst-scrollable-table-container");
    const measure = (some) => {
      const wider = some.map((box) => box.scrollWidth > box.clientWidth);
      some.forEach((box, place) => {
        if (wider[place]) box.tabIndex = 0;
        else box.removeAttribute("tabindex");
      });
    };
    const observer = new ResizeObserver((entries) => measure(entries.map(({ target }) => target)));
    for (const box of boxes) observer.observe(box);
    // a formula may become wider without becoming higher
    const isLaidOut = (box) => box.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;
    document.fonts.addEventListener("loadingdone", () => measure(boxes.filter(isLaidOut)));
  }

  // Folded code is plain text until a reader unfolds it: coloured beforehand, it would be most of the
  // elements of a page. The groups are named as Pygments' classes, which give open code its colours.
  const PYTHON = new RegExp(
    String.raw`(?<c>#.*)|(?<s>[bfru]{0,2}(?:"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|` +
      String.raw`\b(?:(?<k>False|None|True|and|as|assert|break|class|continue|def|del|elif|else|` +
      "except|finally|for|from|global|if|import|in|is|lambda|not|or|pass|raise|return|try|while|" +
      String.raw`with|yield)\b|(?<m>\d[\w.]*)|(?<name>\w+))`,
    "g",
  );

  function coloured(code) {
    const parts = [];
    let end = 0;
    let before = "";
    for (const { 0: text, index, groups } of code.matchAll(PYTHON)) {
      const [kind] = Object.entries(groups).find(([, found]) => found !== undefined);
      const colour = kind === "name" ? { def: "nf", class: "nc" }[before] : kind;
      before = text;
      if (!colour) continue;
      const part = document.createElement("span");
      part.className = colour;
      part.textContent = text;
      parts.push(code.slice(end, index), part);
      end = index + text.length;
    }
    return [...parts, code.slice(end)];
  }

  function colourCode() {
    const colour = ({ target: fold }) => {
      if (!fold.open || !fold.matches(".attn-code, .attn-claim-more")) return;
      for (const listing of fold.querySelectorAll("pre")) {
        if (listing.childElementCount) continue;
        const code = document.createElement("code");
        code.className = "highlight";
        code.append(...coloured(listing.textContent));
        listing.replaceChildren(code);
      }
    };
    document.addEventListener("toggle", colour, true); // it does not bubble
  }

  // A control whose name occurs more than once on the page is named with what it belongs to: a reader
  // who listens may have all of them in one list. What repeats is known only when all are there, and a
  // widget may make new ones at any time.
  function names() {
    const CONTROLS = "button, input, select, textarea, [role=slider], [role=button]";
    let made = 0;
    const isControl = (node) => node.matches?.(CONTROLS) || node.querySelector?.(CONTROLS);
    const plainName = (control) =>
      control.getAttribute("aria-label") ??
      (control.labels?.[0] ?? control).textContent.replace(/\s+/g, " ").trim();
    const identify = (node) => {
      if (!node.id) node.id = `attn-named-${++made}`;
      return node.id;
    };

    // two widgets of one kind have the same name too
    function frameOf(frame) {
      const place = frame.closest(".attn-widget");
      const question = frame.querySelector("legend.attn-question");
      if (question || !place || frame.id) return question ?? frame;
      const kin = all(".attn-widget").filter((one) => one.dataset.widget === place.dataset.widget);
      const number = kin.length > 1 ? ` ${kin.indexOf(place) + 1}` : "";
      frame.setAttribute("aria-label", `${frame.getAttribute("aria-label")}${number}`);
      return frame;
    }

    function ownerOf(control) {
      const fold = control.closest("details[data-question]");
      const key = control.closest("[data-gate]")?.dataset.gate;
      const guess = key && find(`.attn-widget[data-question="${key}"]`);
      const frame = (guess?.querySelector(".attn-frame") ?? control).closest(".attn-frame");
      if (frame?.closest(".attn-first")) return null; // the widget is not there yet
      if (frame) return frameOf(frame);
      const recalled = control.closest("[data-recall]");
      return (fold ?? recalled)?.querySelector("summary");
    }

    function nameAll() {
      all(".copybtn").forEach((button, number) => {
        const title = button.closest("section")?.querySelector("h1, h2, h3, h4").firstChild;
        button.setAttribute(
          "aria-label",
          `Copy to clipboard: ${title?.textContent}, ${number + 1}`,
        );
      });
      const controls = all(CONTROLS).filter((one) => !one.closest(".attn-first"));
      const named = new Map();
      for (const control of controls) {
        const name = plainName(control);
        named.set(name, [...(named.get(name) ?? []), control]);
      }
      for (const same of named.values()) {
        if (same.length < 2) continue;
        for (const control of same.filter((one) => !one.hasAttribute("aria-labelledby"))) {
          const owner = ownerOf(control);
          if (!owner) continue;
          // a name that begins with its own does not go on to its label
          if (control.labels?.length) control.setAttribute("aria-label", plainName(control));
          control.setAttribute("aria-labelledby", `${identify(control)} ${identify(owner)}`);
        }
      }
    }

    new MutationObserver((changes) => {
      if (changes.some(({ addedNodes }) => [...addedNodes].some(isControl))) nameAll();
    }).observe(document.body, { childList: true, subtree: true });
    nameAll();
  }

  // Prose says what to do with a mouse, and so does the first state of a widget, which itself says
  // what suits the device.
  function taps() {
    if (!matchMedia("(hover: none)").matches) return;
    for (const part of all(".attn-click, .attn-first")) {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { data } = texts.currentNode;
        const tap = data
          .replace(/\b(Click|Point at)\b/g, "Tap")
          .replace(/\b(you )click\b/g, "$1tap");
        const said = part.matches(".attn-click") ? tap.replace("click", "tap") : tap;
        if (said !== data) texts.currentNode.data = said;
      }
    }
  }

  // On the page of all claims: show only those that contain what is typed. It is kept in the history,
  // so that readers who come back find the same claims, at the same place.
  function claims() {
    const entries = all(".attn-claims > li");
    if (!entries.length) return;
    const field = find(".attn-claims-filter input");
    const count = find(".attn-claims-count");
    let resting = 0;
    const choose = () => {
      const wanted = field.value.trim().toLowerCase();
      for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
      const left = entries.filter((entry) => !entry.hidden);
      for (const part of all("article section section")) {
        part.hidden = !left.some((entry) => part.contains(entry));
      }
      if (wanted) for (const fold of all(".attn-claims-fold")) fold.open = true;
      clearTimeout(resting); // read out once, not at every key
      const words = wanted ? `${left.length} of ${entries.length}` : "";
      resting = setTimeout(() => (count.textContent = words), REST);
    };
    const keep = () => history.replaceState({ claims: field.value }, "");
    field.value ||= history.state?.claims ?? ""; // readers may have typed before this script came
    if (field.value) choose();
    field.addEventListener("input", () => {
      choose();
      keep();
    });
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) return;
      choose(); // the browser may have filled the field,
      keep(); // and Sphinx's own script has emptied the state
    });
  }

  // Nothing can be unfolded on paper, so answers and hints are printed open, and so are the
  // solutions, at the end.
  function paper() {
    let undo = [];
    document.addEventListener("attn-paper", ({ detail: begins }) => {
      for (const back of undo) back();
      undo = begins ? [unfold(), gatherSolutions()] : [];
    });
  }

  function unfold() {
    const opened = all("article details:not([open], .hide, .attn-frame *)");
    for (const fold of opened) fold.open = true;
    return () => {
      for (const fold of opened) fold.open = false;
    };
  }

  // Each under the title of its exercise. Returns a function that puts them back.
  function gatherSolutions() {
    const make = (tag, ...children) => {
      const node = document.createElement(tag);
      node.append(...children);
      return node;
    };
    const solutions = all("article .attn-solution");
    const section = make("section", make("h2", "Solutions"));
    section.className = "attn-solutions";
    const places = solutions.map((solution) => {
      const exercise = solution.closest("section").querySelector("h2, h3, h4");
      const place = document.createComment("solution");
      solution.replaceWith(place);
      section.append(make("h3", exercise.firstChild.textContent), solution);
      return place;
    });
    if (places.length) find("article > section").append(section);
    return () => {
      places.forEach((place, number) => place.replaceWith(solutions[number]));
      section.remove();
    };
  }

  menu();
  drawer("primary", (sidebar) => sidebar.classList.toggle("pst-sidebar-hidden"));
  drawer("secondary");
  names();
  search();
  marks();
  moved();
  jumps();
  contents();
  formulas();
  margin();
  claims();
  paper();
  colourCode();
  taps();
  tabStops();
})();
