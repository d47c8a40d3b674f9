// Count how often a button was pressed.

import { beginView, create, createButton, createLive } from "../shared/common.js";

function render({ model, el }) {
  const view = beginView({ model, el }, "tally", "Tally");
  const { frame } = view;
  const more = createButton("One more", "attn-primary");
  const reset = createButton("Reset", "attn-quiet");
  const shown = createLive("p.attn-readout");
  const update = () => {
    shown.textContent = `Pressed ${view.get("count")} times.`;
  };
  view.listen(more, "click", () => view.share({ count: view.get("count") + 1 }));
  view.listen(reset, "click", () => view.share({ count: view.get("start") }));
  view.follow(["count"], update);
  update();
  frame.append(shown, create("div.attn-bar", more, reset));
  return () => view.end();
}

/** The count, for readers without JavaScript. */
export function table({ model }) {
  return [["Count"], [String(model.get("count"))]];
}

export default { render };
