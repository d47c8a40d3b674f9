// Controls for a trait that has few values, or a range of them.

import { create, createButton, keepShowing, listen, share } from "./common.js";

/** A row of buttons that set a trait, given as [value, text]: the one that holds is pressed. */
export function switchFor(life, model, name, label, choices) {
  const attributes = { role: "group", "aria-label": label };
  const buttons = choices.map(([value, text]) => {
    const button = createButton(text);
    keepShowing(life, model, name, () =>
      button.setAttribute("aria-pressed", model.get(name) === value),
    );
    listen(life, button, "click", () => share(model, { [name]: value }));
    return button;
  });
  return create("div.attn-switch", attributes, ...buttons);
}

/** A slider that sets a trait, with its value beside it; traits in `anew` are set along with it. */
export function sliderFor(life, model, name, label, range, write, anew = {}) {
  const input = create("input", { type: "range", ...range, "aria-label": label });
  const value = create("span.attn-number", { "aria-hidden": "true" });
  keepShowing(life, model, name, () => {
    input.value = model.get(name);
    value.textContent = write(model.get(name));
    input.setAttribute("aria-valuetext", value.textContent);
  });
  listen(life, input, "input", () => share(model, { [name]: Number(input.value), ...anew }));
  return create("label.attn-field", label, input, value);
}

/** A button that gives these traits the values again that they have now. */
export function resetFor(life, model, names) {
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  return reset;
}
