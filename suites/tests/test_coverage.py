"""Coverage of tables that operators draw from: what was drawn and compared of each entry, and why the rest was not."""

from pathlib import Path

import pytest

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.asking import read_vocabulary
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.report.page import page
from eagerdiff.harness.results.coverage import Covered, Met, Table, Vocabulary, coverage
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.suites.tests.test_cli import OPERATOR as TOY

DRAWN_FROM_A_TABLE = """
import os, time
from eagerdiff import Showing

def vocabulary():
    print("said by the way")
    {body}

def about(workload):
    return {{"table:doubled", "backward"}} if workload.cases[0].seed % 2 else {{"table:doubled"}}
"""
WORDS = "return {'table:doubled': '', 'table:halved': 'no sample'}"


def operator(folder: Path, body: str) -> str:
    extras = "    extras=Extras(vocabulary=vocabulary), showing=Showing(about=about),\n    implementations=["
    toy = TOY.replace("    implementations=[", extras)
    (folder / "mine.py").write_text(DRAWN_FROM_A_TABLE.format(body=body) + toy)
    return f"{folder / 'mine.py'}:OPERATOR"


def row(implementation: str, met: dict[str, Met], operator: str = "doubling") -> Row:
    return Row(operator=operator, implementation=implementation, device="cpu", met=met)


def test_calls_are_counted_by_entry_way_and_gradients() -> None:
    words = {"t:a": "", "t:b": "no sample", "other:a": ""}
    rows = [
        row("one", {"t:a": Met(drawn=5, compared=3), "backward+t:a": Met(drawn=2, compared=2)}),
        row("two", {"t:a": Met(drawn=4)}),
        row("one", {"t:a": Met(drawn=100, compared=100)}, operator="another"),
    ]
    found = coverage([Vocabulary(operator="doubling", words=words)], rows)
    assert found["t"] == [
        Covered(name="a", drawn=11, compared=5, backward=2, ways={"one": 5}),
        Covered(name="b", why="no sample"),
    ]
    assert found["other"] == [Covered(name="a")]


def test_what_was_not_compared_says_why() -> None:
    table = Table(
        name="t",
        entries=[
            Covered(name="a", drawn=2, compared=1),
            Covered(name="b", drawn=2),
            Covered(name="c"),
            Covered(name="d", why="not on a CPU: it wants a GPU"),
        ],
    )
    assert [one.name for one in table.here] == ["a", "b", "c"]
    assert table.missing == {
        "drawn, and compared in no way of compiling": ["b"],
        "not drawn yet": ["c"],
        "not on a CPU: it wants a GPU": ["d"],
    }
    shown = page(Results(coverage={"t": table.entries}))
    assert "3 not compared" in shown
    assert "not on a CPU: it wants a GPU" in shown


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (WORDS, ""),
        ("raise ValueError('two\\nlines')", "its vocabulary raised ValueError: two lines"),
        ("return {1: ''}", "its vocabulary: words.1.[key]"),
        ("os._exit(3)", "its vocabulary: exit code 3"),
    ],
)
def test_a_vocabulary_is_read_in_a_process_of_its_own(body: str, problem: str, tmp_path: Path) -> None:
    found = read_vocabulary(Spec(operator(tmp_path, body)))
    assert found.words == ({"table:doubled": "", "table:halved": "no sample"} if not problem else {})
    assert found.problem[: len(problem)] == problem
    assert bool(found.problem) == bool(problem)


@pytest.mark.slow
def test_a_campaign_tells_what_it_compared_of_a_table_also_of_what_is_on_record(tmp_path: Path) -> None:
    spec, journal = operator(tmp_path, WORDS), tmp_path / "journal"

    def search(budget: float) -> dict[str, list[Covered]]:
        catalog = load([Spec(spec)])
        options = {"implementations": ["doubling/right"], "slots": 1, "shrink_seconds": 0.0, "worker_pool": pool}
        return Campaign(catalog, budget=budget, journal=journal, **options).run().coverage  # pyright: ignore[reportArgumentType]

    with WorkerPool([Spec(spec)]) as pool:
        doubled, halved = search(4.0)["table"]
        assert (halved.name, halved.why, halved.drawn) == ("halved", "no sample", 0)
        assert doubled.ways == {"right": doubled.compared}
        assert 0 < doubled.backward < doubled.compared <= doubled.drawn
        assert search(0.0)["table"] == [doubled, halved]
