"""The player in a real browser: its moves by hand, by keys and by themselves."""

from test_widget_player import player
from walking import walk

from attn_book.commands.widgets_harness import by_the_clock, trait


def test_it_is_moved_and_played_and_whole_at_the_end(show):
    page = show(player())
    one, looks = trait(page, "result").values()
    lanes = [f".attn-lanes > :nth-child({n})" for n in (1, 2)]
    written, beams = f"{lanes[0]} .attn-target:not(.attn-unwritten)", f"{lanes[1]} .attn-ink-beam"
    go = walk(page, written=written, beams=beams, says=".attn-lanes .attn-readout")
    go(says=f"Written: “{one}”…Written: “{looks}”", beams=0, written=len(one))
    go("press One move back ArrowRight; key Home", at=0, written=0, says="Letter 1, look")
    by_the_clock(page)
    go("press One move on Enter")
    page.clock.run_for(1_200)
    go(at=1, says="nothing to choose from…asks every position: ", written=0)
    go("slide Moves made Shift+ArrowRight", at=5, written=1)
    widths = "all => all.map((one) => Number(one.getAttribute('stroke-width')) / 26)"
    assert 0.95 < sum(page.locator(beams).evaluate_all(widths)) < 1.001
    go("key ArrowLeft", at=4, says=f"write: “{one[0]}”, at ")
    go("click Play")
    page.clock.run_for(600)
    go("click Pause")
    paused = trait(page, "at")
    assert 4 < paused < 4 * len(looks)
    page.clock.run_for(60_000)
    go("click Play", at=paused)
    page.clock.run_for(60_000)
    go(at=None, beams=0, says=f"Written: “{one}”", written=len(one))


def test_without_motion_it_goes_from_move_to_move_and_it_says_what_it_cannot_read(show):
    page = show(player(at=2), reduced_motion="reduce")
    by_the_clock(page)
    go = walk(page, lanes=".attn-lanes:visible", says=".attn-readout:visible")
    for passed, at in ((0, 2), (900, 2), (600, 3)):
        page.clock.run_for(passed)
        go("" if passed else "click Play", at=at)
    go("click Pause; click One move on", at=4)
    go("fill Letters to copy: bx", says="letters from a to g, and not “x”.", lanes=0, at=None)
    go("fill Letters to copy: abcdefgabcdefg", says="14 letters, and 12 are read at most", lanes=0)
