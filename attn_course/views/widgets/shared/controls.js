// Controls for a trait that is true or false, has few values, or a range of them.

import { create } from "./common.js";

/** A row of buttons that set a trait, given as [value, text]: the one that holds is pressed. */
export function switchFor(view, name, label, choices) {
  const buttons = choices.map(([value, text]) => {
    const button = view.button(text, () => view.share({ [name]: value }));
    view.keepShowing(name, () => button.setAttribute("aria-pressed", view.get(name) === value));
    return button;
  });
  return create("div.attn-switch", { role: "group", "aria-label": label }, ...buttons);
}

/** A menu that sets a trait, given as [value, text]; traits in `anew` are set along with it. */
export function menuFor(view, name, label, choices, anew = {}) {
  const options = choices.map(([value, text]) => create("option", { value }, text));
  const select = create("select.attn-select", ...options);
  view.keepShowing(name, () => {
    select.selectedIndex = choices.findIndex(([value]) => value === view.get(name));
  });
  view.listen(select, "change", () => {
    view.share({ ...anew, [name]: choices[select.selectedIndex][0] });
  });
  return create("label.attn-field", label, select);
}

/** A box that sets a trait when it is ticked. */
export function tickFor(view, name, label) {
  const box = create("input", { type: "checkbox" });
  view.keepShowing(name, () => (box.checked = view.get(name)));
  view.listen(box, "change", () => view.share({ [name]: box.checked }));
  return create("label.attn-field", box, label);
}

/** A slider that sets a trait, with its value beside it; traits in `anew` are set along with it. */
export function sliderFor(view, name, label, range, write, anew = {}) {
  const input = create("input", { type: "range", ...range, "aria-label": label });
  const value = create("span.attn-number", { "aria-hidden": "true" });
  view.keepShowing(name, () => {
    input.value = view.get(name);
    value.textContent = write(view.get(name));
    input.setAttribute("aria-valuetext", value.textContent);
  });
  view.listen(input, "input", () => view.share({ [name]: Number(input.value), ...anew }));
  return create("label.attn-field", label, input, value);
}

/** A slider over a few values, between its name and its value: `move(place)` is called when it is
 *  moved, and `show(most, place, words)` says where it is. */
export function slideRow(view, name, move) {
  const input = create("input.attn-slider", { type: "range", "aria-label": name });
  const value = create("span.attn-value");
  view.listen(input, "input", () => move(Number(input.value)));
  const node = create("div.attn-slide", create("span", name), input, value);
  const show = (most, place, words) => {
    Object.assign(input, { min: 0, max: most, value: place, disabled: !most });
    value.textContent = words;
    input.setAttribute("aria-valuetext", words);
  };
  return { node, show };
}

/** A button that gives these traits the values again that they have now. */
export function resetFor(view, names) {
  const start = Object.fromEntries(names.map((name) => [name, view.get(name)]));
  return view.button("Reset", () => view.share(start), "attn-quiet");
}
