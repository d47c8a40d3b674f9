// Count how often a button was pressed.

import { beginView, create, createLive } from "../shared/common.js";

function render({ model, el }) {
  const view = beginView({ model, el }, "tally", "Tally");
  const add = () => view.share({ count: view.get("count") + 1 });
  const more = view.button("One more", add, "attn-primary");
  const begin = () => view.share({ count: view.get("start") });
  const reset = view.button("Reset", begin, "attn-quiet");
  const shown = createLive("p.attn-readout");
  const update = () => {
    shown.textContent = `Pressed ${view.get("count")} times.`;
  };
  view.follow(["count"], update);
  update();
  view.frame.append(shown, create("div.attn-bar", more, reset));
  return () => view.end();
}

/** The count, for readers without JavaScript. */
export function table({ model }) {
  return [["Count"], [String(model.get("count"))]];
}

export default { render };
