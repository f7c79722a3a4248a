"""What a night judged right is not run again by the next, while others are left and nothing has changed."""

from pathlib import Path

import pytest

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import typed
from eagerdiff.harness.history.judged import MOST, Judged
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.nights import HALVING

ENVIRONMENT = {"torch": "2.13.0", "triton": "3.7.1", "commit": "abc", "cores": "2"}
TARGET, OTHER = "moe/acme on cpu", "moe/right on cpu"
FEW = HALVING.replace("WRONG", "0").replace("st.integers(0, 9)", "st.integers(0, 50), seed=st.just(0)")
"""A plug-in of few cases."""


def remembered(path: Path, environment: dict[str, str] = ENVIRONMENT, revision: str = "") -> Judged:
    judged = Judged(path)
    judged.begin(environment, {"moe/acme": revision})
    return judged


def test_what_was_judged_is_known_the_next_night_and_no_earlier(tmp_path: Path) -> None:
    judged = remembered(tmp_path / "judged.json")
    judged.add(TARGET, "aa")
    assert not judged.knows(TARGET, "aa")
    judged.write()
    after = remembered(tmp_path / "judged.json")
    assert (after.knows(TARGET, "aa"), after.knows(TARGET, "bb"), after.knows(OTHER, "aa")) == (True, False, False)


@pytest.mark.parametrize(
    ("environment", "revision", "known"),
    [
        (ENVIRONMENT | {"cores": "64"}, "", True),
        (ENVIRONMENT | {"torch": "2.14.1"}, "", False),
        (ENVIRONMENT | {"commit": "def"}, "", False),
        (ENVIRONMENT, "acme 2", False),
    ],
)
def test_under_another_environment_or_revision_everything_is_new(
    environment: dict[str, str], revision: str, known: bool, tmp_path: Path
) -> None:
    judged = remembered(tmp_path / "judged.json")
    judged.add(TARGET, "aa")
    judged.write()
    assert remembered(tmp_path / "judged.json", environment, revision).knows(TARGET, "aa") == known


def test_the_newest_are_kept(tmp_path: Path) -> None:
    for start in (0, MOST - 10):
        judged = remembered(tmp_path / "judged.json")
        for number in range(start, start + MOST):
            judged.add(TARGET, str(number))
        judged.write()
    after = remembered(tmp_path / "judged.json")
    assert [after.knows(TARGET, str(number)) for number in (0, MOST - 11, MOST - 10, 2 * MOST - 11)] == [
        False,
        False,
        True,
        True,
    ]


def test_once_nothing_is_new_all_are_run_again_and_stay_remembered(tmp_path: Path) -> None:
    judged = remembered(tmp_path / "judged.json")
    judged.add(TARGET, "aa")
    judged.write()
    after = remembered(tmp_path / "judged.json")
    after.leave_none_out(TARGET)
    assert not after.knows(TARGET, "aa")
    after.write()
    assert remembered(tmp_path / "judged.json").knows(TARGET, "aa")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 3}', '{"a": {"under": 1}}'])
def test_a_damaged_file_is_as_good_as_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "judged.json").write_text(text)
    assert not remembered(tmp_path / "judged.json").knows(TARGET, "aa")


def night(folder: Path) -> Results:
    (folder / "few.py").write_text(FEW)
    catalog = load(typed([f"{folder / 'few.py'}:OPERATOR"]))
    judged = Judged(folder / "judged.json")
    results = Campaign(catalog, operators=["halving"], budget=3.0, slots=1, judged=judged).run()
    judged.write()
    return results


@pytest.mark.slow
def test_a_night_leaves_out_what_the_last_one_judged(tmp_path: Path) -> None:
    first, second = night(tmp_path), night(tmp_path)
    (before,), (after,) = first.rows, second.rows
    assert before.workloads > 10
    assert before.judged_before == 0
    assert after.judged_before > 0  # the same seed draws the same
    assert after.workloads > 0  # and more
