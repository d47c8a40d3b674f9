// A button that lets something run by itself, for as long as it explains something.

import { createButton, listen } from "./common.js";

/** A button named `[play, pause]`: it runs for so many seconds, pauses, and goes on.
 *  `begin(share)` is called at each press, with the share of the run that is over; `frame(share)` for
 *  each frame, and where it gives false, somebody else has taken over; `end(whole)` when it stops, and
 *  says whether that was the last frame.
 *  Nothing runs where motion is unwelcome: its style takes the button away there. */
export function playButton(life, [play, pause], seconds, { begin, frame, end }) {
  const button = createButton(play, "attn-moving");
  let [passed, last, asked] = [0, null, 0];
  const halt = (whole = false) => {
    cancelAnimationFrame(asked);
    [last, asked] = [null, 0];
    button.textContent = play;
    end(whole);
  };
  const tick = (now) => {
    if (last !== null) passed += Math.min(now - last, 100); // a page that slept has seen nothing
    last = now;
    const share = Math.min(passed / (1000 * seconds), 1);
    const goesOn = frame(share) !== false;
    if (goesOn && share < 1) asked = requestAnimationFrame(tick);
    else {
      passed = 0;
      halt(goesOn);
    }
  };
  listen(life, button, "click", () => {
    if (asked) return halt();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    begin(passed / (1000 * seconds));
    button.textContent = pause;
    asked = requestAnimationFrame(tick);
  });
  life.signal.addEventListener("abort", () => cancelAnimationFrame(asked));
  return button;
}
