"""The mutation tests: they find slips, and report those that no test notices."""

from pathlib import Path

import pytest

from apparatus.mutants.__main__ import TABLE, load, read_table, renewed, table
from apparatus.mutants.changes import python_changes
from apparatus.mutants.scripts import script_changes
from apparatus.mutants.targets import guards_of, targets
from apparatus.mutants.trial import TOO_LONG, Trial, copies, prepare, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

SOURCE = '''
"""Documentation stays."""
ONE: int = 1

def least(values: "list[int]", most=False):
    """It stays here, too."""
    if len(values) < 2 and not most:
        raise ValueError(f"too few: {len(values) + 1}")
    total = 0
    for a, b in zip(values, sorted(values), strict=True):
        total += a * b
    print(total, most)
    return min(values) if total else "none"
'''


def changed(source, changes=python_changes):
    return {change.text for change in changes(source)}


def test_python_is_changed_where_a_slip_can_be():
    assert changed(SOURCE) == {
        "1 → 2",
        "False → True",
        "< → <=",
        "< → >=",
        "and → or",
        "len(values) < 2 and not most → True",
        "len(values) < 2 and not most → False",
        "values → (nothing)",
        "2 → 3",
        "not most → most",
        "0 → 1",
        "values, sorted(values), strict=True → sorted(values), strict=True",
        "values, sorted(values), strict=True → values, strict=True",
        "values, sorted(values), strict=True → sorted(values), values, strict=True",
        "+= → =",
        "* → /",
        "print(total, most) → pass",
        "total, most → total",
        "total, most → most",
        "total, most → most, total",
        'return min(values) if total else "none" → return None',
        "min → max",
        "total → True",
        "total → False",
        '"none" → "?"',
    }


def test_what_a_check_says_stays_and_whether_it_is_made_does_not():
    assert changed('expect_count("size", size, what="number of pairs", least=n + 2)') == {
        'expect_count("size", size, what="number of pairs", least=n + 2) → pass',
        "+ → -",
        "2 → 3",
    }


def test_each_change_is_one_other_source_with_a_key_of_its_own():
    changes = python_changes(SOURCE + "x = [0, 0] + [0]\n")
    assert len({change.key for change in changes}) == len(changes)
    assert len({change.source for change in changes} | {SOURCE}) == len(changes) + 1
    assert {"0 → 1", "0 → 1 (2)", "0 → 1 (3)"} <= {change.text for change in changes}


def test_arguments_that_are_alike_do_not_change_places():
    assert changed("f(a, a, b)") == {
        "f(a, a, b) → pass",
        "a, a, b → a, b",  # one of the two left out
        "a, a, b → a, a",
        "a, a, b → a, b, a",
    }


def test_scripts_are_changed_outside_of_comments_and_texts():
    script = '// a < b\nconst f = (a) => (a <= 1 ? Math.max(a, "0 + 1") : a + 2);\n'
    assert changed(script, script_changes) == {
        "<= → <",
        "<= → >",
        "1 → (1 + 1)",
        "2 → (2 + 1)",
        "+ → -",
        "Math.max → Math.min",
    }


@pytest.fixture
def project(tmp_path):
    """A module with a test that sees one slip, misses another, and never ends with a third."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "made_up.py").write_text("def first(values):\n    return values[0]\n")
    (tmp_path / "tests" / "test_made_up.py").write_text(
        "from made_up import first\n\ndef test_it():\n    assert first([1, 1]) == 1\n"
    )
    return tmp_path


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_trial_says_whether_the_tests_notice_and_leaves_the_file_as_it_was(project):
    sources = {
        "def first(values):\n    return values[0]\n": 0,
        "def first(values):\n    return values[1]\n": 0,  # survives
        "def first(values):\n    return values[2]\n": 1,
        "def first(values):\n    return None\n": 1,
    }
    path = Path("made_up.py")
    before = (project / path).read_text()
    trials = [Trial(path, source, ["tests/test_made_up.py"]) for source in sources]
    outcomes = dict(run(trials, [project]))
    assert [outcomes[index] for index in range(len(trials))] == list(sources.values())
    assert (project / path).read_text() == before


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_trial_without_end_is_stopped(project):
    source = "def first(values):\n    while True: pass\n"
    trial = Trial(Path("made_up.py"), source, ["tests/test_made_up.py"])
    assert list(run([trial], [project], seconds=3)) == [(0, TOO_LONG)]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_the_folders_share_the_tests_and_the_quickest_comes_first(tmp_path):
    folders = [tmp_path / name for name in ("one", "other")]
    note = "import pathlib\nnote = lambda name: pathlib.Path(name).touch()\n"
    for folder in folders:
        folder.mkdir()
        (folder / "test_made_up.py").write_text(
            f"{note}def test_first():\n    note('first')\ndef test_second():\n    note('second')\n"
        )
    took = prepare(["test_made_up.py"], folders)
    assert [name.partition("::")[2] for name in took] == ["test_first", "test_second"]
    assert all(seconds > 0 for seconds in took.values())
    left = [{path.name for path in folder.iterdir()} & {"first", "second"} for folder in folders]
    assert left == [{"first"}, {"second"}]

    path = Path("test_made_up.py")
    source = (folders[0] / path).read_text() + "    assert False\n"
    (folders[0] / "first").unlink()
    slow = took | {f"{path}::test_first": 9}
    [only] = run([Trial(path, source, [str(path)])], folders[:1], took=slow)
    assert only == (0, 1)
    assert not (folders[0] / "first").exists()  # the second was quicker, and failed
    (folders[1] / path).write_text(source)
    with pytest.raises(ValueError, match=r"tests must pass.*failed: test_made_up\.py::test_second"):
        prepare(["test_made_up.py"], folders)


def test_every_file_has_tests_its_own_first(tmp_path):
    found = targets(ROOT)
    assert {"alignment", "tasks/numbers", "models/encoder", "training", "claims"} <= set(found)
    assert any(name.endswith("mixing.js") for name in found)
    assert not any("experiments" in name or "plots" in name for name in found)
    for path in found.values():
        assert guards_of(path, ROOT)
    assert guards_of(found["measures"], ROOT)[0] == "tests/test_measures.py"
    with pytest.raises(ValueError, match=r"no test for nowhere\.py"):
        guards_of(Path("nowhere.py"), tmp_path)


def test_the_page_is_read_as_it_was_written():
    page = TABLE.read_text("utf-8")
    told = read_table(page)
    assert len(told) > 50
    assert table([*told.values()]) == page
    for one in told.values():
        _, tried, killed, _, equivalent, survived = one.counts
        assert (len(one.survived), len(one.equivalent)) == (survived, equivalent)
        assert killed + equivalent + survived == tried


def test_the_lines_of_one_file_are_renewed_and_no_others():
    page = TABLE.read_text("utf-8")
    [module] = load(["measures"], every=False)
    module.killed, module.alive = module.chosen[1:], module.chosen[:1]
    before, after = read_table(page), read_table(renewed(page, [module]))
    assert after.pop("measures") == module.told() != before.pop("measures")
    assert after == {name: one for name, one in before.items() if name in targets(ROOT)}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the copies are made of what git knows")
def test_copies_are_whole_and_apart():
    with copies(ROOT, 2) as folders:
        one, other = (folder / "attn_course" / "weights.py" for folder in folders)
        assert (
            one.read_bytes() == other.read_bytes() == (ROOT / "attn_course/weights.py").read_bytes()
        )
        assert not (folders[0] / ".git").exists()
    assert not folders[0].exists()
