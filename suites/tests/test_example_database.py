"""The example database: what failed before is run first, and nothing in it does more than draw."""

import importlib.util
import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis.database import ExampleDatabase

from eagerdiff import Oracle, Outcome, Status, Verdict, Workload
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.model.verdict import passed
from eagerdiff.harness.search import examples as room
from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.examples import MOST, Examples, NoExamples, open_examples
from eagerdiff.harness.search.hunt import Report, Shrinking
from eagerdiff.suites.tests.misbehaving import OPERATOR, Doubling
from eagerdiff.suites.tests.test_search import implementation

RARE = 40
"""A size that few of the batches draw."""


class Run:
    """Judge workloads, and remember their sizes."""

    def __init__(self, wrong: Callable[[int], bool]) -> None:
        self.met: list[tuple[int, ...]] = []
        self._wrong = wrong

    def __call__(self, workload: Workload) -> Outcome:
        sizes = tuple(case.size for case in workload.cases if isinstance(case, Doubling))
        self.met.append(sizes)
        if not any(map(self._wrong, sizes)):
            return Outcome(verdicts=[passed()], workload=passed())
        reason = Verdict(status=Status.RAISED, reason="RuntimeError: wrong", oracle=Oracle.RAISE)
        return Outcome(verdicts=[passed()], workload=reason)


def explore(run: Run, folder: Path | None, *, seed: int = 0, claims: bool = True) -> Report:
    known = Examples(str(folder)) if folder is not None else None
    batch = Batch(OPERATOR, implementation("right"), "cpu", campaign_seed=seed, examples=8)
    return batch.explore(run, lambda finding: claims, shrinking=Shrinking(seconds=600.0), known=known)


def rarely(size: int) -> bool:
    return size >= RARE


def night_that_finds(folder: Path) -> int:
    """Return the first seed whose batch draws what fails; it is kept in the folder."""
    seed = next(seed for seed in range(200) if draws_rare(seed))
    assert explore(Run(rarely), folder, seed=seed).finding is not None
    return seed


def night_that_does_not() -> int:
    return next(seed for seed in range(200) if not draws_rare(seed))


def draws_rare(seed: int) -> bool:
    run = Run(lambda size: False)
    explore(run, None, seed=seed)
    return any(RARE in sizes for sizes in run.met)


def test_what_failed_one_night_is_run_first_the_next(tmp_path: Path) -> None:
    seed = night_that_does_not()
    night_that_finds(tmp_path)
    run = Run(rarely)
    report = explore(run, tmp_path, seed=seed)
    assert report.finding is not None
    assert report.finding.workload[0]["size"] == RARE


def test_what_failed_stays_where_its_cause_is_known(tmp_path: Path) -> None:
    seed = night_that_does_not()
    night_that_finds(tmp_path)
    for _ in range(2):
        run = Run(rarely)
        explore(run, tmp_path, seed=seed, claims=False)
        assert any(RARE in sizes for sizes in run.met)


def test_once_it_passes_it_is_forgotten(tmp_path: Path) -> None:
    seed = night_that_does_not()
    night_that_finds(tmp_path)
    for _ in range(10):  # what was made smaller on the way goes after it
        explore(Run(lambda size: False), tmp_path, seed=seed)
    run = Run(rarely)
    assert explore(run, tmp_path, seed=seed).finding is None
    assert not any(RARE in sizes for sizes in run.met)


def test_what_is_drawn_does_not_depend_on_it(tmp_path: Path) -> None:
    seed = night_that_does_not()
    night_that_finds(tmp_path)
    alone, beside = Run(rarely), Run(rarely)
    explore(alone, None, seed=seed)
    explore(beside, tmp_path, seed=seed, claims=False)
    assert len(alone.met) > 4
    assert len(beside.met) > len(alone.met)
    rest = iter(beside.met)
    assert all(sizes in rest for sizes in alone.met)  # in this order


def test_what_passes_never_joins_it(tmp_path: Path) -> None:
    explore(Run(lambda size: False), tmp_path)
    stopped = Batch(OPERATOR, implementation("right"), "cpu")
    stopped.explore(Run(rarely), going=lambda: False, known=Examples(str(tmp_path)))
    assert not kept(tmp_path)


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def folders(folder: Path) -> list[Path]:
    """Return those that hold examples of one strategy."""
    return sorted({path.parent for path in kept(folder)})


def test_whoever_writes_to_it_decides_what_is_drawn_and_no_more(tmp_path: Path) -> None:
    night_that_finds(tmp_path)
    draw = random.Random(0)
    for folder in folders(tmp_path):
        for number in range(3000):
            (folder / f"poison{number:04}").write_bytes(draw.randbytes(draw.randrange(64)))
        (folder / "large").write_bytes(bytes(4 << 20))
        (folder / "nested").mkdir()
        os.symlink("/etc/hostname", folder / "link")
    run = Run(lambda size: False)
    report = explore(run, tmp_path, seed=1)
    assert report.broken == ""
    assert all(0 <= size <= 64 for sizes in run.met for size in sizes)
    assert len(run.met) <= 8 * (MOST + 1)


class Away(ExampleDatabase):
    """Be a store that answers nothing."""

    asked = 0

    def save(self, key: bytes, value: bytes) -> None:
        raise self._gone()

    def fetch(self, key: bytes) -> Iterable[bytes]:
        raise self._gone()

    def delete(self, key: bytes, value: bytes) -> None:
        raise self._gone()

    def _gone(self) -> Exception:
        Away.asked += 1
        return ConnectionError("Error 111 connecting to examples:6379")


def test_one_that_is_away_is_said_once_and_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Away, "asked", 0)
    monkeypatch.setattr(room, "open_examples", lambda where: Away())
    report = explore(Run(lambda size: size >= 1), tmp_path)
    assert report.finding is not None
    assert report.problem.endswith("was done without for a while: ConnectionError")
    assert report.broken == ""
    assert Away.asked == 1


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("ftp://user:secret@host/?password=secret", "ftp://host/: name a folder, or redis://HOST:PORT"),
        ("pyproject.toml", "pyproject.toml is no folder"),
    ],
)
def test_what_is_none_is_said_in_a_line(where: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["nightly", f"--example-database={where}"]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "secret" not in told


def test_without_redis_it_is_said_what_installs_it() -> None:
    if importlib.util.find_spec("redis") is not None:
        pytest.skip("Redis' client is installed here")
    with pytest.raises(NoExamples, match=r"pip install 'eagerdiff\[redis\]'"):
        open_examples("rediss://user:secret@host:6380/0")
