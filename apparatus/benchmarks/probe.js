// Runs in a page before all else: when does the first widget answer, and how calm is the page?
//
// Every 5 ms it looks for the first control of the page, operates it as a reader would, and checks
// whether anything other than that control has changed. `ready` is the time of the frame in which
// the answer is drawn, in milliseconds since the navigation began.
(() => {
  const probe = { ready: null, longest: 0, shift: 0, moved: [] };
  window.probe = probe;

  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longest = Math.max(probe.longest, duration);
  }).observe({ type: "longtask", buffered: true });

  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      probe.shift += value;
      probe.moved.push(...sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ""}`));
    }
  }).observe({ type: "layout-shift", buffered: true });

  const visible = (node) => node.getClientRects().length > 0;

  // The course: the first control, whatever it is; beside answers to choose from, the button too.
  function workCourse() {
    const frame = document.querySelector(".attn-widget .attn-frame:not(.attn-first *)");
    if (!frame) return false;
    const control =
      frame.querySelector(":is(input, select):enabled, .attn-handle[tabindex='0']") ??
      frame.querySelector("button:not([aria-pressed=true]):enabled");
    if (!control) return false;
    const besides = () => frame.innerHTML.replace(control.outerHTML, "");
    const before = besides();
    if (control.type === "radio") {
      control.click();
      [...frame.querySelectorAll("button")].find(visible).click();
    } else if (control.matches("[type=checkbox], button")) {
      control.click();
    } else if (control.matches(".attn-handle")) {
      control.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    } else {
      control.value = control.type === "text" ? "3/4/05" : (control.max ?? control.lastChild.value);
      for (const kind of ["input", "change"]) {
        control.dispatchEvent(new Event(kind, { bubbles: true }));
      }
    }
    return besides() !== before;
  }

  // ipywidgets: the handle of a slider by its keyboard; the number that is linked to it follows.
  function workStock() {
    const handle = document.querySelector(".noUi-handle");
    const number = document.querySelector(".widget-text input[type=number]");
    if (!handle || !number) return false;
    const before = number.value;
    const key = { key: "ArrowRight", bubbles: true, cancelable: true };
    handle.dispatchEvent(new KeyboardEvent("keydown", key));
    return number.value !== before;
  }

  window.work = (kind) => {
    const once = { course: workCourse, stock: workStock }[kind];
    const look = () => {
      if (!document.body || !once()) return setTimeout(look, 5);
      requestAnimationFrame(() => setTimeout(() => (probe.ready = performance.now())));
    };
    look();
  };
})();
