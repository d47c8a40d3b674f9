// A button that lets something run by itself for a while.

import { createButton } from "./common.js";

/** A button named `[play, pause]`: it runs for that many seconds, pauses, and resumes.
 *  `begin(share)` is called at each press, with the share of the run that is over; `frame(share)` in
 *  each frame, and if it returns false, something else has taken over; `end(whole)` when it stops, and
 *  says whether that was the last frame.
 *  Where motion is unwelcome nothing runs: the style sheet hides the button. */
export function playButton(view, [play, pause], seconds, { begin = () => {}, frame, end }) {
  const button = createButton(play, "attn-moving");
  let [passed, last, asked] = [0, null, 0];
  const halt = (whole = false) => {
    cancelAnimationFrame(asked);
    [last, asked] = [null, 0];
    button.textContent = play;
    end(whole);
  };
  const tick = (now) => {
    if (last !== null) passed += Math.min(now - last, 100); // time asleep does not count
    last = now;
    const share = Math.min(passed / (1000 * seconds), 1);
    const goesOn = frame(share) !== false;
    if (goesOn && share < 1) asked = requestAnimationFrame(tick);
    else {
      passed = 0;
      halt(goesOn);
    }
  };
  view.listen(button, "click", () => {
    if (asked) return halt();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    begin(passed / (1000 * seconds));
    button.textContent = pause;
    asked = requestAnimationFrame(tick);
  });
  view.signal.addEventListener("abort", () => cancelAnimationFrame(asked));
  return button;
}
