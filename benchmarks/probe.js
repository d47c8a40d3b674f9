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
  const told = (place) => place.textContent;

  // The course: a slider, a text or one of several answers, and the button that shows the result.
  function workCourse() {
    const frame = document.querySelector(".attn-widget .attn-frame:not(.attn-first *)");
    if (!frame) return false;
    const before = told(frame);
    const control = frame.querySelector("input:enabled");
    if (control?.type === "radio") {
      control.click();
      [...frame.querySelectorAll("button")].find(visible).click();
    } else if (control) {
      control.value = control.type === "range" ? control.max : "3/4/05";
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return told(frame) !== before;
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
