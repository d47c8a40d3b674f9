// What the reader has done: guesses made, questions answered, chapters read to the end. A question that
// was known is asked again later.
//
// This is kept in this browser and nowhere else, as JSON under one key, and shown in the side bar, on
// the front page and on the page "Your progress". If the browser stores nothing, it lasts as long
// as the page (where storage is forbidden, early.js has put a stand-in). Every change reads what is
// stored, changes it and writes it back, so that two windows do not undo each other's work. What cannot
// be read is set aside under another key and never thrown away.
"use strict";

(() => {
  const KEY = "attention-measured.progress";
  const COURSE = "attention-measured";
  const VERSION = 1;
  const LARGEST = 1e6; // bytes of a file; the entire course takes about ten thousand
  // Milliseconds without scrolling, after which a reader reads. Where the browser says itself that a
  // scroll has ended, this is only for shifts that end without a word.
  const REST = "onscrollend" in window ? 1000 : 60;
  const KINDS = ["guesses", "questions"];
  const NOT_KEPT = "This browser keeps nothing for this page: storage is blocked or full.";
  const ASK =
    "Erase all of your progress in this browser? Files that you have saved are not touched.";

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const article = document.querySelector("article.bd-article");
  const here = article?.dataset.chapter; // "02-softmax", on a chapter's page

  // ---- what is known, and whether something is a saved progress at all

  const nothing = () => ({ course: COURSE, version: VERSION, chapters: {} });
  // and, where there are any, `skipped`, the keys of guesses, and `recall`: for the key of a question, how
  // many times running it was known, and the day on which it is due
  const untouched = () => ({ read: false, seen: [], guesses: {}, questions: [] });
  const chapterOf = (data, name) => data.chapters[name] ?? untouched();

  function changedChapter(data, name) {
    data.chapters[name] ??= untouched();
    return data.chapters[name];
  }

  function setSkipped(chapter, keys) {
    if (keys.length) chapter.skipped = keys;
    else delete chapter.skipped;
  }

  function expect(what, holds, expected, value) {
    if (holds) return;
    const came = value === undefined ? "nothing" : JSON.stringify(value);
    throw new Error(`${what} should be ${expected}; it is ${came.slice(0, 80)}`);
  }

  const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isText = (value, longest) => typeof value === "string" && value.length <= longest;
  const isKey = (value) => isText(value, 6) && /^[0-9a-f]{6}$/.test(value);
  const isChapter = (value) => isText(value, 80) && /^(\d\d[a-z]?|[a-z])-[a-z0-9-]+$/.test(value);
  const isPlace = (value) => isText(value, 200);
  const isCurve = (value) =>
    Array.isArray(value) && value.length <= 100 && value.length > 0 && value.every(Number.isFinite);
  const isDay = (value) => isText(value, 10) && /^\d{4}-\d\d-\d\d$/.test(value);
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  const isGuess = (value) => Number.isFinite(value) || isText(value, 500) || isCurve(value);

  function expectOnly(what, record, names) {
    expect(what, isRecord(record), "a record {...}", record);
    const other = Object.keys(record).find((name) => !names.includes(name));
    expect(what, other === undefined, `a record of ${names.join(", ")}`, other);
  }

  /** The data, if they are a saved progress; otherwise an error that says why not. */
  function checked(data) {
    expect("the file", isRecord(data), "a record {...}", data);
    expect("`course`", data.course === COURSE, JSON.stringify(COURSE), data.course);
    expect("`version`", data.version === VERSION, VERSION, data.version);
    expectOnly("the file", data, ["course", "version", "chapters", "place"]);
    expect("`chapters`", isRecord(data.chapters), "a record {...}", data.chapters);
    for (const [name, chapter] of Object.entries(data.chapters)) {
      expect("a name in `chapters`", isChapter(name), 'like "02-softmax"', name);
      checkChapter(name, chapter);
    }
    if ("place" in data) {
      expectOnly("`place`", data.place, ["chapter", "section"]);
      const { chapter, section } = data.place;
      expect("`place.chapter`", isChapter(chapter), 'like "02-softmax"', chapter);
      expect("`place.section`", isPlace(section), "a short text", section);
    }
    return renumbered(data);
  }

  /** The same, with what was done under a chapter's former name under its present one. */
  function renumbered(data) {
    const had = (name) => (link) => link.dataset.former.split(" ").includes(name);
    const current = (name) => links.find(had(name))?.dataset.chapter ?? name;
    let now = data;
    for (const old of Object.keys(data.chapters).filter((name) => current(name) !== name)) {
      const { [old]: chapter, ...chapters } = now.chapters;
      now = merged({ ...now, chapters }, { chapters: { [current(old)]: chapter } });
    }
    if (now.place) now.place.chapter = current(now.place.chapter);
    return now;
  }

  function checkChapter(name, chapter) {
    expectOnly(name, chapter, [...Object.keys(untouched()), "skipped", "recall"]);
    const { read, seen, guesses, skipped = [], questions, recall = {} } = chapter;
    const isList = (list, holds) => Array.isArray(list) && list.every(holds);
    expect(`${name}, \`read\``, typeof read === "boolean", "true or false", read);
    expect(`${name}, \`seen\``, isList(seen, isPlace), "a list of short texts", seen);
    expect(`${name}, \`questions\``, isList(questions, isKey), "a list of keys", questions);
    expect(`${name}, \`skipped\``, isList(skipped, isKey), "a list of keys", skipped);
    expect(`${name}, \`guesses\``, isRecord(guesses), "a record {...}", guesses);
    for (const [key, guess] of Object.entries(guesses)) {
      expect(`${name}, a name in \`guesses\``, isKey(key), "a key of six digits", key);
      expect(
        `${name}, guess ${key}`,
        isGuess(guess),
        "a number, a short text or a list of numbers",
        guess,
      );
    }
    expect(`${name}, \`recall\``, isRecord(recall), "a record {...}", recall);
    for (const [key, entry] of Object.entries(recall)) {
      expect(`${name}, a name in \`recall\``, isKey(key), "a key of six digits", key);
      expectOnly(`${name}, recall ${key}`, entry, ["times", "due"]);
      const { times, due } = entry;
      expect(`${name}, recall ${key}, \`times\``, isCount(times), "a whole number", times);
      expect(`${name}, recall ${key}, \`due\``, isDay(due), 'like "2026-03-31"', due);
    }
  }

  /** Both merged. Where they differ, what is already here stays. */
  function merged(mine, other) {
    const data = structuredClone(mine);
    for (const [name, more] of Object.entries(other.chapters)) {
      const chapter = changedChapter(data, name);
      chapter.read ||= more.read;
      chapter.seen = chapter.read ? [] : [...new Set([...chapter.seen, ...more.seen])];
      chapter.guesses = { ...more.guesses, ...chapter.guesses };
      const skipped = new Set([...(chapter.skipped ?? []), ...(more.skipped ?? [])]);
      setSkipped(
        chapter,
        [...skipped].filter((key) => !Object.hasOwn(chapter.guesses, key)),
      );
      chapter.questions = [...new Set([...chapter.questions, ...more.questions])];
      if (more.recall) chapter.recall = { ...more.recall, ...chapter.recall };
    }
    if (!data.place && other.place) data.place = other.place;
    return data;
  }

  // ---- where it is stored

  let unkept = null; // what is known on this page, if it cannot be stored
  let mayWrite = true;

  function load() {
    if (unkept) return structuredClone(unkept);
    const text = localStorage.getItem(KEY);
    if (text === null) return nothing();
    try {
      return checked(JSON.parse(text));
    } catch {
      setAside(text);
      return nothing();
    }
  }

  function save(data) {
    try {
      if (!mayWrite) throw new Error("what is there could not be set aside");
      localStorage.setItem(KEY, JSON.stringify(data));
      unkept = null;
    } catch {
      unkept = data; // there is no room
    }
  }

  function change(edit) {
    const data = load();
    edit(data);
    save(data);
    show();
  }

  function setAside(text) {
    try {
      localStorage.setItem(`${KEY}.damaged.${asideKeys().length + 1}`, text);
      localStorage.removeItem(KEY);
    } catch {
      mayWrite = false; // no room: it stays where it is
    }
  }

  function asideKeys() {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${KEY}.damaged.`));
  }

  function erase() {
    unkept = null;
    mayWrite = true;
    for (const key of [KEY, ...asideKeys()]) localStorage.removeItem(key);
    show();
  }

  // Windows see each other's storage a moment late. One that writes at the moment of an erasure would
  // write back what it still sees, so every window erases for itself.
  const otherWindows = channel();
  otherWindows?.addEventListener("message", erase);

  function channel() {
    try {
      return new BroadcastChannel(KEY);
    } catch {
      return null; // forbidden together with storage: windows share nothing
    }
  }

  function eraseEverywhere() {
    erase();
    otherWindows?.postMessage("erase");
  }

  // ---- how far a reader is in a chapter, as its link in the side bar knows it

  const links = all(".bd-links a[data-chapter]");
  const named = (link) => link.firstChild.textContent.trim();

  function standing(link, data) {
    const chapter = chapterOf(data, link.dataset.chapter);
    const keys = Object.fromEntries(
      KINDS.map((kind) => [kind, link.dataset[kind].split(" ").filter(Boolean)]),
    );
    const made = keys.guesses.filter((key) => Object.hasOwn(chapter.guesses, key)).length;
    const known = keys.questions.filter((key) => chapter.questions.includes(key)).length;
    const [ofGuesses, ofQuestions] = KINDS.map((kind) => keys[kind].length);
    return {
      read: chapter.read,
      guesses: `${made} of ${ofGuesses}`,
      questions: `${known} of ${ofQuestions}`,
      begun: chapter.read || made + known > 0,
      done: chapter.read && made === ofGuesses && known === ofQuestions,
    };
  }

  function inWords({ read, guesses, questions, begun, done }) {
    if (done) return "all done";
    if (!begun) return "";
    return `${guesses} guesses, ${questions} questions, ${read ? "" : "not "}read to the end`;
  }

  function showMarks(data) {
    for (const link of links) {
      const state = standing(link, data);
      const words = inWords(state);
      const sign = link.querySelector(".attn-done");
      sign.dataset.done = state.done ? "all" : state.begun ? "some" : "none";
      sign.title = words;
      link.querySelector(".attn-done-words").textContent = words && ` (${words})`;
    }
  }

  // ---- guesses: the page listens to its widgets, and tells them what was guessed before

  const places = here ? all(".attn-widget[data-question]", article) : [];
  const started = new Map(); // the predictions that are running, each by its place

  function isPossible(guess, model) {
    if (Array.isArray(guess)) return model.get("positions")?.length === guess.length;
    if (typeof guess === "string") return Boolean(model.get("options")?.includes(guess));
    const { low, high } = model.get("scale") ?? {};
    return low <= guess && guess <= high;
  }

  function followGuesses() {
    document.addEventListener("attn-start", ({ target, detail }) => {
      if (places.includes(target)) started.set(target, detail);
      showGuesses(load());
    });
    document.addEventListener("attn-save", ({ target, detail }) => {
      if (places.includes(target)) keepGuess(target.dataset.question, detail);
    });
    document.addEventListener("attn-skip", ({ detail: { key, isShut } }) => {
      change((data) => {
        const chapter = changedChapter(data, here);
        const others = (chapter.skipped ?? []).filter((other) => other !== key);
        setSkipped(chapter, isShut ? [...others, key] : others);
      });
    });
  }

  /** A widget saves every change; what counts here is a guess, or that everything was taken back. */
  function keepGuess(key, model) {
    const [committed, guess] = [model.get("committed"), model.get("guess")];
    const isReset = guess === null;
    const { guesses, skipped = [] } = chapterOf(load(), here);
    const old = JSON.stringify(guesses[key]);
    if (committed ? JSON.stringify(guess) === old : !isReset || !(old || skipped.includes(key)))
      return;
    change((data) => {
      const chapter = changedChapter(data, here);
      delete chapter.guesses[key];
      setSkipped(
        chapter,
        (chapter.skipped ?? []).filter((other) => other !== key),
      );
      if (committed) chapter.guesses[key] = guess;
    });
  }

  /** The predictions of this page as they are stored, and how each was opened, for early.js. */
  function showGuesses(data) {
    const { guesses, skipped = [] } = chapterOf(data, here);
    for (const place of places) {
      const [key, model] = [place.dataset.question, started.get(place)];
      const guess = guesses[key];
      const isKept =
        guess !== undefined && (model ? isPossible(guess, model) : "open" in place.dataset);
      if (model && isKept) model.set({ guess, committed: true });
      else if (model?.get("committed")) model.set({ guess: null, committed: false });
      if (isKept) place.dataset.open = "guessed";
      else if (skipped.includes(key)) place.dataset.open = "skipped";
      else delete place.dataset.open;
    }
    document.dispatchEvent(new Event("attn-progress"));
  }

  // ---- recall: when a question is asked again

  const WAITS = [1, 3, 7, 21, 60]; // days, after it was known once, twice, ...; then always the last

  /** A day, some days from today, as the reader's calendar has it: "2026-03-31". */
  function day(later = 0) {
    const date = new Date();
    date.setDate(date.getDate() + later);
    const [month, ofMonth] = [date.getMonth() + 1, date.getDate()].map((number) =>
      String(number).padStart(2, "0"),
    );
    return `${date.getFullYear()}-${month}-${ofMonth}`;
  }

  function setKnown(chapter, key, isKnown) {
    const others = chapter.questions.filter((other) => other !== key);
    chapter.questions = isKnown ? [...others, key] : others;
  }

  function askAgain(chapter, key, times) {
    const wait = WAITS[Math.min(Math.max(times, 1), WAITS.length) - 1];
    chapter.recall = { ...chapter.recall, [key]: { times, due: day(wait) } };
  }

  /** The day on which a question is due. One that was known, nobody knows when, is due today. */
  function dueDay(chapter, key) {
    return chapter.recall?.[key]?.due ?? (chapter.questions.includes(key) ? day() : null);
  }

  /** For the questions that this book asks and that will be asked again, the day of each. */
  function dueDays(data) {
    return links.flatMap((link) => {
      const chapter = chapterOf(data, link.dataset.chapter);
      const keys = link.dataset.questions.split(" ").filter(Boolean);
      return keys.map((key) => dueDay(chapter, key)).filter((due) => due !== null);
    });
  }

  const isDue = (count) => `${count} question${count === 1 ? " is" : "s are"} due`;

  // ---- folded questions: readers who knew the answer tick a box below it

  const folds = here ? all("details[data-question]", article) : [];

  /** There are several on a page: each says which question it belongs to. */
  function nameWith(fold, control, words) {
    const question = fold.querySelector("summary").textContent.trim();
    control.setAttribute("aria-label", `${words}: ${question}`);
  }

  function followQuestions() {
    for (const fold of folds) {
      const box = Object.assign(document.createElement("input"), { type: "checkbox" });
      const label = document.createElement("label");
      label.className = "attn-knew";
      label.append(box, "I knew it");
      nameWith(fold, box, "I knew it");
      fold.append(label);
      box.addEventListener("change", () => {
        change((data) => {
          const chapter = changedChapter(data, here);
          setKnown(chapter, fold.dataset.question, box.checked);
          if (box.checked) askAgain(chapter, fold.dataset.question, 1);
          else delete chapter.recall?.[fold.dataset.question];
        });
      });
    }
  }

  function showQuestions(data) {
    const { questions } = chapterOf(data, here);
    for (const fold of folds) {
      const knew = questions.includes(fold.dataset.question);
      fold.classList.toggle("attn-known", knew);
      fold.querySelector(".attn-knew input").checked = knew;
    }
  }

  // ---- read to the end: the end has been in view, and every section of the main road before it

  function followReading() {
    const sections = all("section section[id]", article).filter(
      (part) => !part.closest(".attn-side"),
    );
    const headings = new Map(sections.map((part) => [part.querySelector("h2, h3, h4"), part.id]));
    const end = article.appendChild(document.createElement("div"));
    const inSight = new Set(); // headings, and the end
    let resting = null; // set while the page scrolls: what a jump passes on its way is not read
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        inSight[isIntersecting ? "add" : "delete"](target);
      }
      if (resting === null) note();
    });
    const note = () => {
      const found = [...inSight].map((part) => headings.get(part)).filter(Boolean);
      const { read, seen } = chapterOf(load(), here);
      const now = [...new Set([...seen, ...found])];
      const isRead = inSight.has(end) && sections.every(({ id }) => now.includes(id));
      if (read || (now.length === seen.length && !isRead)) return;
      change((data) => {
        const chapter = changedChapter(data, here);
        chapter.read = isRead;
        chapter.seen = isRead ? [] : now;
      });
    };
    const rest = () => {
      clearTimeout(resting);
      resting = null;
      note();
    };
    document.addEventListener("scroll", () => {
      clearTimeout(resting);
      resting = setTimeout(rest, REST);
    });
    document.addEventListener("scrollend", rest);
    for (const target of [...headings.keys(), end]) observer.observe(target);

    // where to go on: the section that was read last
    const leave = () => {
      if (document.visibilityState !== "hidden" || window.scrollY === 0) return;
      const above = sections.filter(
        (part) => !part.closest("[hidden]") && part.getBoundingClientRect().top < 120,
      );
      change((data) => {
        data.place = { chapter: here, section: above.at(-1)?.id ?? "" };
      });
    };
    document.addEventListener("visibilitychange", leave);
  }

  // ---- the front page: where to continue

  function showWhereToGoOn(data) {
    const line = document.querySelector(".attn-go-on");
    if (!line || !links.length) return;
    const isRead = (link) => chapterOf(data, link.dataset.chapter).read;
    const last = links.find((link) => link.dataset.chapter === data.place?.chapter);
    const begun = last ?? links.find((link) => standing(link, data).begun);
    if (!begun) return;
    const next = links.slice(links.indexOf(begun)).find((link) => !isRead(link));
    const unread = next ?? links.find((link) => !isRead(link));
    const button = line.querySelector("a");
    const words = line.querySelector("p");
    const due = dueDays(data).filter((each) => each <= day()).length;
    const progress = Object.assign(document.createElement("a"), {
      href: "your-progress.html",
      textContent: due ? `Your progress (${isDue(due)})` : "Your progress",
    });
    if (!unread) {
      button.href = progress.href;
      sayInstead(button, "Your progress");
      sayInstead(words, `You have read every chapter to the end${due ? `; ${isDue(due)}` : ""}.`);
      return;
    }
    const where = unread === last ? `${named(unread)}, where you left off` : named(unread);
    button.href = unread.href;
    if (unread === last && data.place.section) button.hash = data.place.section;
    sayInstead(button, "Continue");
    button.setAttribute("aria-label", `Continue with ${named(unread)}`);
    sayInstead(words, `Next: ${where}. `, progress);
  }

  /** Replace what a line says. The old words keep their room, unseen, so that nothing moves. */
  function sayInstead(line, ...said) {
    if (!line.querySelector(".attn-room")) {
      const [room, instead] = ["attn-room", "attn-instead"].map((className) =>
        Object.assign(document.createElement("span"), { className }),
      );
      room.append(...line.childNodes);
      line.replaceChildren(room, instead);
    }
    line.querySelector(".attn-instead").replaceChildren(...said);
  }

  // ---- the page "Your progress"

  const board = document.querySelector(".attn-your-progress");

  function showBoard(data) {
    if (!board) return;
    for (const link of links) {
      const state = standing(link, data);
      const row = board.querySelector(`tr[data-chapter="${link.dataset.chapter}"]`);
      const texts = { ...state, read: state.read ? "yes" : "no" };
      for (const cell of row?.querySelectorAll("td") ?? []) {
        cell.textContent = texts[cell.dataset.of];
      }
    }
  }

  // ---- there as well: the questions that are due

  const recall = document.querySelector(".attn-recall");

  function showRecall(data) {
    if (!recall) return;
    for (const item of recall.querySelectorAll("li")) {
      const due = dueDay(chapterOf(data, item.dataset.chapter), item.dataset.recall);
      item.hidden = due === null || due > day();
    }
    const days = dueDays(data).sort();
    const now = days.filter((due) => due <= day()).length;
    const line = recall.querySelector(".attn-recall-state");
    if (now) line.textContent = `${isDue(now)}.`;
    else if (days.length) line.textContent = `No question is due. The next one is on ${days[0]}.`;
    else line.textContent = "No question is due. Tick one that you knew, at the end of a chapter.";
  }

  function followRecall() {
    if (!recall) return;
    for (const button of all("button[data-knew]", recall))
      nameWith(button.closest("details"), button, button.textContent);
    recall.addEventListener("click", ({ target }) => {
      const knew = target.closest("button[data-knew]")?.dataset.knew === "yes";
      const item = target.closest("button[data-knew]") && target.closest("li");
      if (!item) return;
      const { chapter: name, recall: key } = item.dataset;
      const rest = all("li:not([hidden])", recall);
      const next = rest[rest.indexOf(item) + 1] ?? rest[rest.indexOf(item) - 1];
      item.querySelector("details").open = false;
      change((data) => {
        const chapter = changedChapter(data, name);
        const times = knew ? (chapter.recall?.[key]?.times ?? 1) + 1 : 0;
        setKnown(chapter, key, knew);
        askAgain(chapter, key, times);
      });
      const again = chapterOf(load(), name).recall[key].due;
      const line = recall.querySelector(".attn-recall-state");
      line.textContent = `You will be asked again on ${again}. ${line.textContent}`;
      (next?.querySelector("summary") ?? line).focus();
    });
  }

  function say(...sentences) {
    board.querySelector("[role=status]").textContent = sentences.join(" ");
  }

  function saveAsFile(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function counts(data) {
    const chapters = Object.values(data.chapters);
    const sum = (number) => chapters.reduce((total, chapter) => total + number(chapter), 0);
    return {
      "guesses made": sum(({ guesses }) => Object.keys(guesses).length),
      "questions known": sum(({ questions }) => questions.length),
      "chapters read": sum(({ read }) => Number(read)),
    };
  }

  async function bring(file) {
    let data;
    try {
      expect("the file", file.size <= LARGEST, `at most ${LARGEST / 1e6} MB`, file.size);
      data = checked(parsed(await file.text()));
    } catch (error) {
      say(
        `${file.name} is not a saved progress of this course, and nothing was changed:`,
        `${error.message}.`,
      );
      return;
    }
    const before = load();
    const after = merged(before, data);
    change((now) => Object.assign(now, after));
    const [old, now] = [counts(before), counts(after)];
    const news = Object.keys(now).map((what) => `${what}: ${now[what] - old[what]} new`);
    say(`${file.name} was added to what was here. ${news.join(", ")}.`, canKeep() ? "" : NOT_KEPT);
  }

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      expect("the file", false, "JSON, as this page saves it", text);
    }
  }

  function followBoard() {
    if (!board) return;
    const button = (does) => board.querySelector(`[data-does=${does}]`);
    const input = board.querySelector("input[type=file]");
    for (const each of all("button", board)) each.disabled = false;
    button("save").addEventListener("click", () => {
      saveAsFile("attention-measured-progress.json", `${JSON.stringify(load(), null, 1)}\n`);
    });
    button("bring").addEventListener("click", () => input.click());
    input.addEventListener("change", async () => {
      if (input.files.length) await bring(input.files[0]);
      input.value = ""; // so that the same file can be chosen again
    });
    button("erase").addEventListener("click", () => {
      if (!window.confirm(ASK)) return;
      eraseEverywhere();
      say("Everything is erased.");
    });
    const aside = asideKeys();
    if (!canKeep()) say(NOT_KEPT, "Everything works until you leave the page.");
    else if (aside.length) sayAside(aside);
  }

  function canKeep() {
    try {
      localStorage.setItem(`${KEY}.try`, "");
      localStorage.removeItem(`${KEY}.try`);
      return localStorage instanceof Storage && unkept === null; // else a stand-in: see early.js
    } catch {
      return false;
    }
  }

  function sayAside(aside) {
    say("A saved progress could not be read. It was set aside, and a new one was started.");
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: "Save what was set aside" });
    button.addEventListener("click", () => {
      const text = aside.map((key) => localStorage.getItem(key)).join("\n");
      saveAsFile("attention-measured-set-aside.txt", text);
    });
    board.querySelector("[role=status]").append(" ", button);
  }

  // ---- everything together

  function show() {
    const data = load();
    showMarks(data);
    if (here) showQuestions(data);
    if (here) showGuesses(data);
    showWhereToGoOn(data);
    showBoard(data);
    showRecall(data);
  }

  followGuesses();
  followQuestions();
  if (here) followReading();
  show();
  followBoard();
  followRecall();
  window.addEventListener("storage", ({ key }) => (key === KEY || key === null) && show());
  window.addEventListener("pageshow", ({ persisted }) => persisted && show());
})();
