"""The player in a real browser: its moves by hand, by keys and by themselves."""

from test_widget_player import player
from walking import walk

from attn_book.commands.widgets_harness import by_the_clock, trait

WRITTEN = ".attn-lanes > div:first-child .attn-target:not(.attn-unwritten)"


def test_it_plays_steps_and_ends_as_it_began(show):
    page = show(player())
    one, looks = trait(page, "result").values()
    go = walk(page, written=WRITTEN, beams=".attn-beam", said=".attn-lanes .attn-readout")
    go(said=f"Written: “{one}”…Written: “{looks}”", beams=0, written=len(one))
    go("press One move back ArrowRight; key Home", at=0, written=0, said="Letter 1, look")
    by_the_clock(page)
    go("press One move on Enter")
    page.clock.run_for(1_200)
    go(at=1, said="nothing to choose from…asks every position: ", written=0)
    go("slide Moves made Shift+ArrowRight", at=5, written=1)
    go("key ArrowLeft", at=4, said=f"write: “{one[0]}”, at ")
    weights = page.locator(".attn-lanes > div:last-child .attn-beam").evaluate_all(
        "all => all.map((one) => Number(one.style.getPropertyValue('--attn-share')))"
    )
    assert 0.95 < sum(weights) < 1.001
    go("click Play")
    page.clock.run_for(600)
    assert 4 < trait(page, "at") < 4 * len(looks)
    go("click Pause")
    paused = trait(page, "at")
    page.clock.run_for(5_000)
    go("click Play", at=paused)
    page.clock.run_for(60_000)
    go(at=None, beams=0, said=f"Written: “{one}”", written=len(one))


def test_without_motion_it_goes_from_move_to_move(show):
    page = show(player(at=2), reduced_motion="reduce")
    by_the_clock(page)
    go = walk(page)
    go("click Play")
    page.clock.run_for(900)
    go(at=2)
    page.clock.run_for(600)
    go(at=3)
    go("click Pause; click One move on", at=4)


def test_letters_that_it_cannot_read_are_named(show):
    page = show(player(special={"padding": 0, "start": 1, "end": 2, "first_symbol": 4}))
    go = walk(page, lanes=".attn-lanes:visible", said=".attn-readout:visible")
    go("fill Letters to copy: bx", said="letters from a to g, and not “x”.", lanes=0)
    go("fill Letters to copy: abcdefgabcdefg", said="14 letters, and 12 are read at most", lanes=0)
    go("key Control+a; key Delete", said="Type up to 12 letters, from a to g.", lanes=0)
    go("click cab", text="cab", lanes=1)
