"""The rooms hold no more than they may, import downwards, and a change of that is reported."""

import pytest

from apparatus import rooms

KEY = ("textbook", "Python")


@pytest.mark.parametrize(
    ("path", "room"),
    [
        ("attn_course/models/decoder.py", "textbook"),
        ("attn_course/views/plots.py", "views"),
        ("attn_course/experiments/plan.py", "laboratory"),  # as it lay in one package
        ("laboratory/tests/test_grid.py", "tests"),
        ("tests/book/test_site.py", "tests"),
        ("tools/coursework/source.py", "classroom"),
        ("tools/robust.py", "apparatus"),
        ("setup.py", "elsewhere"),
    ],
)
def test_a_file_has_its_room_where_it_lies_and_where_it_lay(path, room):
    assert rooms.room_of(path) == room


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", 0),
        ("attn_course/masks.py:from attn_book import address", "textbook imports from website"),
        ("command/attn_own/card.py:    import attn_lab.grid", "command imports from laboratory"),
        ("tests/test_masks.py:import attn_book", 0),
    ],
)
def test_an_import_of_a_higher_floor_is_reported(monkeypatch, line, message):
    def lines(commit, kind, *options):
        return [line.split(":")] if line and options[0] != "-c" else []

    monkeypatch.setattr(rooms, "lines", lines)
    monkeypatch.setattr("sys.argv", ["rooms"])
    with pytest.raises(SystemExit) as end:
        rooms.main()
    assert str(end.value.code).startswith(str(message))


def test_a_room_with_too_many_lines_is_reported_and_may_then_have_fewer(monkeypatch, tmp_path):
    table = tmp_path / "rooms.toml"
    monkeypatch.setattr(rooms, "TABLE", table)
    monkeypatch.setattr(rooms, "counted", lambda commit: (rooms.Counter({KEY: 12}), set()))
    for most, message in ((11, "textbook: 12 lines of Python; rooms.toml allows 11"), (20, 0)):
        table.write_text(f"textbook = [{most}, 5, 0, 0]\n", "utf-8")
        monkeypatch.setattr("sys.argv", ["rooms", "--lower"])
        with pytest.raises(SystemExit) as end:
            rooms.main()
        assert end.value.code == message
        assert table.read_text("utf-8") == f"textbook = [{min(most, 12)}, 5, 0, 0]\n"
