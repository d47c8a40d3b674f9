// Brings the widgets of a report card to life: no kernel, no network, no other file.

/** Show each widget in its place; where one fails, its sentence stays. */
export function mountAll(renders, { Model, viewOf }) {
  const described = JSON.parse(document.querySelector("[data-models]").textContent);
  for (const place of document.querySelectorAll("[data-model]")) {
    const { kind, traits, arrays } = described[place.dataset.model];
    for (const [name, base64] of Object.entries(arrays)) traits[name] = viewOf(base64);
    const el = document.createElement("div");
    try {
      renders[kind]({ model: new Model(traits), el });
      place.replaceChildren(el);
    } catch (error) {
      console.error(error);
    }
  }
}
