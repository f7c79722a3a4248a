"""The fields of a case: each shipped one has a meaning, and `eagerdiff show` prints it."""

import io

import pytest
from rich.console import Console

from eagerdiff import Case, dynamic, static
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.fields import fields, values
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase


class Unsaid(Case):
    rows: int = 0
    share: float = dynamic(0.5, ge=0, le=1)
    """Of the rows."""
    width: int | None = static(None, gt=2, multiple_of=4)
    """Of a row."""


def test_every_field_of_every_shipped_case_has_a_meaning() -> None:
    cases = [Unsaid, *(operator.case for operator in load().operators.values())]
    lacking = [
        f"{one.__name__}.{name}" for one in cases for name, field in one.model_fields.items() if not field.description
    ]
    assert lacking == ["Unsaid.rows"]


def test_show_says_what_each_field_is_and_what_it_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["show", "paged_attention"]) == 0
    printed = capsys.readouterr().out
    for said in ("Keys of each request", "nhd, hnd, interleaved", "number, above 0", "integer or null, 1 …"):
        assert said in printed


def test_fields_fit_a_narrow_terminal() -> None:
    narrow = Console(file=(out := io.StringIO()), width=90)
    narrow.print(fields(PagedAttentionCase))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 90
    assert "(speculative" in out.getvalue()


@pytest.mark.parametrize(
    ("name", "said"),
    [("rows", "integer"), ("share", "number, 0 … 1"), ("width", "integer or null, above 2, multiples of 4")],
)
def test_bounds_are_said(name: str, said: str) -> None:
    assert values(Unsaid.model_fields[name]) == said
