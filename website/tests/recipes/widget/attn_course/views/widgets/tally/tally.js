// Count how often a button was pressed.

import {
  beginView,
  create,
  createButton,
  createLive,
  follow,
  listen,
  share,
} from "../shared/common.js";

function render({ model, el }) {
  const { frame, life } = beginView(el, "tally", "Tally");
  const more = createButton("One more", "attn-primary");
  const reset = createButton("Reset", "attn-quiet");
  const shown = createLive("p.attn-readout");
  const update = () => {
    shown.textContent = `Pressed ${model.get("count")} times.`;
  };
  listen(life, more, "click", () => share(model, { count: model.get("count") + 1 }));
  listen(life, reset, "click", () => share(model, { count: model.get("start") }));
  follow(life, model, ["count"], update);
  update();
  frame.append(shown, create("div.attn-bar", more, reset));
  return () => life.abort();
}

/** The count, for readers without JavaScript. */
export function table({ model }) {
  return [["Count"], [String(model.get("count"))]];
}

export default { render };
