"""Comparing: what is counted is compared exactly, what is timed by shifts beyond the noise of the same run."""

import random
from collections import Counter
from pathlib import Path

import pytest

from eagerdiff import FIGURES, benchmark_subjects, curated_subjects, load_catalog
from eagerdiff.harness.benchmark.comparing import confirmed
from eagerdiff.harness.benchmark.curated import plain, seconds_of, traits
from eagerdiff.harness.benchmark.shift import Change, shift_of
from eagerdiff.harness.benchmark.side import Side, SideError, revision
from eagerdiff.harness.benchmark.subject import SubjectError, subject_named
from eagerdiff.harness.cli.application import invoke

ROOT = Path(__file__).resolve().parents[2]
OPERATOR = """
import torch
from eagerdiff import Case, Implementation, Inputs, Operator, Workload
from hypothesis import strategies as st


class Rows(Case):
    rows: int


def reference(x):
    return x * 2 + 1


def inputs(case, device):
    return Inputs((torch.ones(case.rows, 8, device=device),))


{FUNCTIONS}

OPERATOR = Operator(
    name="rows",
    case=Rows,
    inputs=inputs,
    reference=reference,
    cases=lambda: st.builds(Rows, rows=st.integers(1, 9)),
    workloads={{
        "three": Workload.of(Rows(rows=4), Rows(rows=7), Rows(rows=9)),
        "two": Workload.of(Rows(rows=5), Rows(rows=1)),
    }},
    implementations=[
        Implementation(operator="rows", name=name, build=build, devices=("cpu",))
        for name, build in (("before", lambda case: reference), ("after", lambda case: after(case)))
    ],
)
"""
SAME = "after = lambda case: reference"
RECOMPILES = "after = lambda case: torch.compile(reference, backend='eager', dynamic=False)"
WAITS = "after = lambda case: lambda x: x * 2 + 1 if x.sum().item() > -1 else x"
DIES = "import os\nafter = lambda case: lambda x: os.abort()"
BREAKS_LATE = """
def after(case):
    left = iter(range(60))
    return lambda x: (next(left), x * 2 + 1)[1]
"""
WRONG = "after = lambda case: lambda x: x"


def write(folder: Path, functions: str) -> str:
    path = folder / "rows.py"
    path.write_text(OPERATOR.format(FUNCTIONS=functions))
    return f"{path}:OPERATOR"


def counted(folder: Path, functions: str, workloads: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    spec = write(folder, functions)
    asked = [part for name in workloads.split() for part in ("--subject", f"rows/before:{name}")]
    code = invoke(["compare", "rows/before", "rows/after", "--operator", spec, "--counts", *asked])
    said = capsys.readouterr()
    return code, " ".join((said.out + said.err).split())


@pytest.mark.parametrize(
    ("functions", "workloads", "code", "told"),
    [
        (SAME, "two", 0, ["are the same"]),
        (RECOMPILES, "three", 1, ["compiles [compilations] 0 3", "size mismatch at index 0"]),
        pytest.param(
            WAITS, "three", 1, ["waits [operations] 0 3", "operations [operations] 6 12"], marks=pytest.mark.slow
        ),
        pytest.param(
            DIES,
            "",
            2,
            ["rows/before:three: rows/after: ", "SIGABRT", "rows/before:two: rows/after: "],
            marks=pytest.mark.slow,
        ),
        pytest.param(WRONG, "two", 2, ["not measured: WRONG_VALUE"], marks=pytest.mark.slow),
    ],
)
def test_what_is_planted_is_named(
    functions: str, workloads: str, code: int, told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, said = counted(tmp_path, functions, workloads, capsys)
    assert [text for text in told if text not in said] == [], said
    assert found == code


@pytest.mark.slow
def test_what_breaks_while_it_is_timed_is_named_and_the_next_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write(tmp_path, BREAKS_LATE)
    assert invoke(["compare", "rows/before", "rows/after", "--operator", spec]) == 2
    said = " ".join(capsys.readouterr().err.split())
    for workload in ("three", "two"):
        assert f"rows/before:{workload}: rows/after: StopIteration" in said


def times(process: float, slower: float, noise: float, generator: random.Random, rounds: int = 40) -> list[float]:
    return [process * (1 + slower) * (1 + abs(generator.gauss(0, noise))) for _ in range(rounds)]


def verdicts(slower: float, trials: int = 300, noise: float = 0.03, layout: float = 0.004) -> list[Change]:
    """Simulate four processes, each with a time of its own, on a machine that only ever slows them."""
    found: list[Change] = []
    for trial in range(trials):
        generator = random.Random(trial)
        four = [times(1 + generator.gauss(0, layout), share, noise, generator) for share in (0.0, 0.0, slower, slower)]
        found.append(shift_of(four[:2], four[2:]).change)
    return found


def test_five_percent_of_time_is_found_and_no_difference_is_none() -> None:
    assert verdicts(0.05).count(Change.SLOWER) >= 0.95 * 300
    assert verdicts(-0.05).count(Change.FASTER) >= 0.95 * 300
    alike = verdicts(0.0)
    assert alike.count(Change.SLOWER) + alike.count(Change.FASTER) < 0.01 * 300
    assert alike.count(Change.SAME) > 0.9 * 300


@pytest.mark.parametrize("first", [Change.SLOWER, Change.FASTER])
def test_a_change_that_is_not_met_again_is_none(first: Change) -> None:
    other = Change.FASTER if first is Change.SLOWER else Change.SLOWER
    assert [confirmed(first, again) for again in (first, Change.SAME, Change.NOISY, other)] == [
        first,
        Change.SAME,
        Change.NOISY,
        Change.NOISY,
    ]


def test_where_a_side_differs_from_itself_one_cannot_tell() -> None:
    unlike = verdicts(0.0, layout=0.05)
    told = [one in (Change.SLOWER, Change.FASTER) for one in unlike]
    agreed = [one and unlike[at] is unlike[at + 1] for at, one in enumerate(told[:-1])]
    assert sum(agreed) < 0.03 * len(agreed)  # what seems changed is measured again, by other processes
    assert Change.NOISY in verdicts(0.0, noise=0.3, trials=60)
    with pytest.raises(ValueError, match="two processes"):
        shift_of([[1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0]])


def test_the_curated_set_has_a_pair_of_every_trait_and_fits_in_ten_minutes() -> None:
    found = [one for one in benchmark_subjects(load_catalog(), "cpu") if plain(one)]
    chosen = curated_subjects(found)
    assert {trait for one in found for trait in traits(one)} == {trait for one in chosen for trait in traits(one)}
    assert sum(map(seconds_of, chosen)) < 480  # of one core of two; the rest is for making the environment
    having = Counter(trait for one in chosen for trait in traits(one))
    assert all(any(having[trait] == 1 for trait in traits(one)) for one in chosen)  # each is needed
    assert len({one.name for one in chosen}) == len(chosen) < len(found) / 5


def test_a_subject_is_named_or_refused() -> None:
    catalog = load_catalog(["symbolic"])
    assert subject_named(catalog, "symbolic/dynamo.static:mlp", "cpu").title == "mlp"
    assert subject_named(catalog, "symbolic/dynamo.static", "cpu").name.startswith("symbolic/dynamo.static:")
    with pytest.raises(SubjectError, match="has no workload nothing: it has mlp"):
        subject_named(catalog, "symbolic/dynamo.static:nothing", "cpu")
    with pytest.raises(SubjectError, match="see `eagerdiff list`"):
        subject_named(catalog, "symbolic/nothing", "cpu")


def test_a_revision_is_checked_out_and_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with revision("HEAD", tmp_path) as side:
        assert side.checkout is not None
        assert (side.checkout / "pyproject.toml").exists()
    assert not list(tmp_path.iterdir())
    with pytest.raises(SideError, match="no such revision"), revision("no-such-branch", tmp_path):
        pass


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["no-such-branch", "HEAD"], "no-such-branch: git knows no such revision"),
        (["symbolic/nothing", "symbolic/dynamo.static"], "nothing to measure on cpu is called symbolic/nothing"),
        (["HEAD", "HEAD", "--device", "tpu"], "times are taken on cpu or cuda"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["compare", *arguments]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert len(said.splitlines()) == 1


def test_every_figure_says_its_unit() -> None:
    assert all(one.unit and one.what for one in FIGURES.values())
    assert Side("a", way="moe/b").subject("moe/a:ragged") == "moe/b:ragged"
