// Things in a drawing that are moved by pointer, finger or arrow keys.

import { draw } from "./common.js";

/** A handle: what is drawn, upon a wider ring for fingers and the focus. */
export function handle(className, name, ...drawn) {
  return draw(
    "g",
    {
      class: `attn-handle ${className}`,
      tabindex: 0,
      role: "button",
      "aria-roledescription": "point to move",
      "data-name": name,
    },
    draw("circle.attn-grip", { r: 22 }),
    ...drawn,
  );
}

/** Follow a pointer, mouse or finger, from when it grabs the node until it lets go. A place is
 *  given in the units of the drawing. */
export function draggable(view, svg, node, move, done = () => {}) {
  let held = null;
  view.listen(node, "pointerdown", (event) => {
    if (event.button !== 0) return;
    held = event.pointerId;
    node.setPointerCapture(held);
    node.focus();
    event.preventDefault();
  });
  view.listen(node, "pointermove", (event) => {
    if (event.pointerId !== held) return;
    const inside = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = inside.matrixTransform(svg.getScreenCTM().inverse());
    move([x, y]);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    view.listen(node, end, (event) => {
      if (event.pointerId !== held) return;
      held = null;
      done();
    });
  }
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Arrow keys: `step([x, y])` takes a step in a direction, up being up; ten with the shift key. */
export function steppable(view, node, step) {
  view.listen(node, "keydown", (event) => {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step(way.map((part) => part * (event.shiftKey ? 10 : 1)));
  });
}
