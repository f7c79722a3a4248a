"""Comparisons: tables that an operator brings, none of whose cells is empty without a reason."""

from pathlib import Path

import pytest

from eagerdiff import Cell, Comparison, Sheet
from eagerdiff.harness.campaign.asking import measure
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.description import CatalogCard
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.report import write
from eagerdiff.harness.results.results import OperatorMetrics, Results
from eagerdiff.suites.engine_table import line as lines
from eagerdiff.suites.engine_table.line import FIGURES, Head, Line
from eagerdiff.suites.engine_table.table import comparison
from eagerdiff.suites.tests.test_cli import OPERATOR as TOY

TABLES = Comparison(
    title="Engines",
    note="measured by hand",
    sheets=[
        Sheet(
            what="right",
            columns=["one", "other"],
            rows={"mlp": [Cell(text="7/7", look="good"), Cell(text="3/7", look="bad", why="<refused>")]},
        ),
        Sheet(what="seconds", columns=["one", "other"], rows={"mlp": [Cell(text="1.2"), Cell(why="<refused>")]}),
    ],
)


def test_an_empty_cell_and_a_row_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="a cell needs a text, or a reason"):
        Cell()
    with pytest.raises(ValueError, match="the row mlp has another number of cells"):
        Sheet(what="right", columns=["one"], rows={"mlp": []})


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    """Return an operator that brings tables."""
    (tmp_path / "mine.py").write_text(
        "from eagerdiff import Cell, Comparison, Extras, Sheet\n"
        "def compared():\n"
        f"    return {TABLES!r}\n"
        + TOY.replace("    implementations=[", "    extras=Extras(comparison=compared),\n    implementations=[")
    )
    return Spec(f"{tmp_path / 'mine.py'}:OPERATOR")


def test_an_operators_comparison_comes_from_its_process_and_stands_on_the_page(spec: Spec, tmp_path: Path) -> None:
    taken = measure(spec)
    assert taken == OperatorMetrics(operator="doubling", comparison=TABLES)
    write(Results(metrics=[taken]), tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    assert '<h2 id="comparison-1"><a class="here" href="#comparison-1">Engines</a></h2>' in page
    assert '<li><a href="#comparison-1">Engines</a></li>' in page
    assert '<td class="n good">7/7</td><td class="n bad" title="&lt;refused&gt;">3/7\xa0<sup>a</sup></td>' in page
    assert "<b>a</b> 2 cells: &lt;refused&gt;" in page
    assert '<h2 id="metrics">' not in page
    assert Results.model_validate_json((tmp_path / "out" / "report.json").read_text()).metrics == [taken]


def test_a_night_knows_of_a_comparison_where_it_can_call_nothing_of_the_operator(spec: Spec) -> None:
    """A campaign's own process holds what stands in for operators, and asks for tables where one has any."""
    there = CatalogCard.of(load([spec])).stand_in()
    assert there.operators["doubling"].extras.comparison is not None


def test_a_run_that_was_measured_is_told_with_a_reason_in_each_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Line(
        program="mlp", kind="bounded", way="executorch.bounded", right=7, of=7, figures=dict.fromkeys(FIGURES, 1.5)
    )
    lost = whole.model_copy(
        update={"way": "executorch_xnnpack.bounded", "right": 4, "failed": 3, "why": "GuardLost: it answered"}
    )
    none = Line(
        program="mlp", kind="bounded", way="jax.named", of=7, why="needs jax", missing=dict.fromkeys(FIGURES, "x")
    )
    monkeypatch.setattr(lines.read, "__defaults__", (tmp_path / "measured.jsonl",))
    assert comparison() is None
    lines.write(
        tmp_path / "measured.jsonl", Head(made="2026-11-29", torch="2.13.0", processor="a"), [whole, lost, none]
    )
    told = comparison()
    assert told is not None
    judged, kinds, claims, *figures = told.sheets
    assert [(one.text, one.look, one.why) for one in judged.rows["mlp"]] == [
        ("7/7", "good", ""),
        ("4/7", "bad", "GuardLost: it answered"),
        ("", "", "needs jax"),
    ]
    assert [one.text for one in kinds.rows["bounded"]] == ["1 of 1", "0 of 1", "0 of 1"]
    assert [one.text for one in claims.rows["refuses sizes that it was not made for"]] == ["1 of 1", "0 of 1", ""]
    assert [sheet.what for sheet in figures] == [*FIGURES.values()]
    assert [one.text for one in figures[0].rows["mlp"]] == ["1.5", "1.5", ""]
