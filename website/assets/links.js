// Links in the text that set a widget to a state. They are plain words until the widget runs.
//
// A press sets the widget's traits and leads to the widget, unless all of it is in view. A line above
// the widget then says what was done and leads back to the text; screen readers hear it in any case.
"use strict";

(() => {
  function follow(link, place, line, model) {
    link.href = `#${place.id}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const { top, bottom } = place.getBoundingClientRect();
      const isSeen = top >= 0 && bottom <= window.innerHeight;
      model.set(JSON.parse(link.dataset.traits));
      model.save_changes();
      line.classList.toggle("visually-hidden", isSeen);
      line.replaceChildren(`Done: ${link.textContent}. `);
      if (isSeen) return;
      const back = wayBack(link, line);
      line.append(back);
      history.replaceState({ link: link.id }, "");
      goTo(place, link.hash, back);
    });
  }

  function wayBack(link, line) {
    const back = document.createElement("a");
    back.href = `#${link.id}`;
    back.textContent = "Back to the text";
    back.addEventListener("click", (event) => {
      event.preventDefault();
      line.classList.add("visually-hidden");
      line.replaceChildren();
      goTo(link, back.hash, link);
    });
    return back;
  }

  function goTo(part, hash, focus) {
    history.pushState(null, "", hash);
    show(part, focus);
  }

  function show(part, focus) {
    focus.focus({ preventScroll: true });
    part.dispatchEvent(new CustomEvent("attn-go", { bubbles: true })); // to book.js
  }

  function createLine() {
    const line = document.createElement("p");
    line.className = "attn-set-line visually-hidden";
    line.setAttribute("role", "status");
    return line;
  }

  // The browser's own way back does not give the link the focus.
  window.addEventListener("popstate", ({ state }) => {
    const link = state?.link && document.getElementById(state.link);
    if (link) show(link, link);
  });

  document.addEventListener("attn-start", ({ target: place, detail: model }) => {
    const links = document.querySelectorAll(`.attn-set[data-widget="${place.id}"]`);
    if (!links.length) return;
    const line = createLine();
    place.before(line);
    for (const link of links) follow(link, place, line, model);
  });
})();
