// Brings the widgets of a report card to life: no kernel, no network, no other file.

/** The traits of one widget, with the interface that anywidget documents. */
class CardModel {
  constructor(traits) {
    this.traits = traits;
    this.listeners = [];
  }

  get(name) {
    return this.traits[name];
  }

  set(name, value) {
    if (JSON.stringify(this.traits[name]) === JSON.stringify(value)) return;
    this.traits[name] = value;
    for (const [event, callback] of [...this.listeners]) {
      if (event === `change:${name}`) callback();
    }
  }

  on(event, callback) {
    this.listeners.push([event, callback]);
  }

  off(event, callback) {
    this.listeners = this.listeners.filter(([one, other]) => one !== event || other !== callback);
  }

  save_changes() {}
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new DataView(bytes.buffer);
}

/** Show each widget in its place; where one fails, its sentence stays. */
export function mountAll(renders) {
  const described = JSON.parse(document.querySelector("[data-models]").textContent);
  for (const place of document.querySelectorAll("[data-model]")) {
    const { kind, traits, arrays } = described[place.dataset.model];
    for (const [name, base64] of Object.entries(arrays)) traits[name] = bytesOf(base64);
    const el = document.createElement("div");
    try {
      renders[kind]({ model: new CardModel(traits), el });
      place.replaceChildren(el);
    } catch (error) {
      console.error(error);
    }
  }
}
