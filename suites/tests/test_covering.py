"""Covering arrays: every pair of features that goes together stands in a row, and a row's call has it."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import pytest
import torch
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st

from eagerdiff import Case, Covering, Drawing, Implementation, Inputs, Operator, Outcome, Status, Workload, dynamic
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.model.covering import covering_from
from eagerdiff.harness.results.pairs import PairsMet
from eagerdiff.harness.search.settings import search_settings
from eagerdiff.strategies import moe, paged_attention
from eagerdiff.strategies.covering import covering_array, steered, usual

SMALL: Covering[Any] = Covering(
    features={"a": ("0", "1"), "b": ("0", "1", "2"), "c": ("0", "1"), "d": ("0", "1")},
    of=lambda case: {},
    excludes=lambda two: two.items() >= {("a", "1"), ("b", "2")},
)
OPERATORS: dict[str, tuple[Covering[Any], Callable[[Mapping[str, str]], st.SearchStrategy[Any]], Any]] = {
    "moe": (moe.COVERING, moe.asked_cases, moe.cases),
    "paged_attention": (paged_attention.COVERING, paged_attention.asked_cases, paged_attention.cases),
}


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Draw as a search does, batch by batch."""
    found: list[Any] = []

    def collect(one: Any) -> None:
        found.append(one)

    for batch in range(-(-count // 20)):
        seed(batch)(search_settings(min(20, count))(given(strategy)(collect)))()
    return found


def met(covering: Covering[Any], cases: list[Any]) -> set[tuple[str, str]]:
    return {pair for case in cases for pair in combinations(covering.settings(case), 2)}


@pytest.mark.parametrize("covering", [SMALL, moe.COVERING, paged_attention.COVERING], ids=["small", *OPERATORS])
def test_rows_hold_every_pair_that_goes_together(covering: Covering[Any]) -> None:
    rows = covering_array(covering)
    held = {
        pair
        for row in rows
        for pair in combinations([covering.setting(name, row[name]) for name in covering.features], 2)
    }
    assert held >= set(covering.pairs)
    assert len(rows) < len(covering.pairs) / 3  # else a row a pair would do


def test_what_does_not_go_together_is_no_pair() -> None:
    assert ("a=1", "b=2") not in SMALL.pairs
    assert ("a=0", "b=2") in SMALL.pairs


@pytest.mark.parametrize("name", OPERATORS)
def test_a_call_has_what_its_row_asks_for(name: str) -> None:
    covering, asked_cases, _ = OPERATORS[name]
    cases = [case for row in covering_array(covering) for case in drawn(asked_cases(row), 6)]
    assert not set(covering.pairs) - met(covering, cases)


@pytest.mark.parametrize("name", OPERATORS)
def test_few_draws_meet_most_pairs(name: str) -> None:
    """Four hundred draws meet more pairs than a thousand independent ones, which met 85 % of those of `moe`."""
    covering, _, cases = OPERATORS[name]
    found = met(covering, drawn(cases(), 400))
    assert len(found & set(covering.pairs)) > 0.85 * len(covering.pairs)


def test_an_undeclared_value_is_refused() -> None:
    broken = Covering[Case](features={"a": ("0",)}, of=lambda case: {"a": "1"})
    with pytest.raises(ValueError, match="feature 'a' of Case has no value '1'"):
        broken.settings(Case())


def test_a_failing_call_shrinks_to_the_features_that_it_needs() -> None:
    """What is asked shrinks feature by feature, though a row has a value for each."""

    def fails(asked: dict[str, str]) -> bool:
        return asked.get("expert_bias") == "yes" and asked.get("layout of gate_up_bias") == "strided"

    options = settings(max_examples=2000, database=None, derandomize=True, phases=(Phase.generate, Phase.shrink))
    asked = find(steered(moe.COVERING), fails, settings=options)
    unusual = {name: value for name, value in asked.items() if value != usual(moe.COVERING)[name]}
    assert unusual == {"expert_bias": "yes", "layout of gate_up_bias": "strided"}


def test_a_code_says_what_a_call_has() -> None:
    case = drawn(moe.cases(), 20)[-1]
    code = moe.COVERING.code(case)
    assert len(code) == len(moe.COVERING.features)
    assert moe.COVERING.decode(code) == moe.COVERING.settings(case)
    assert moe.COVERING.decode(code + "0") == ()


def test_features_survive_a_description() -> None:
    """The campaign, which runs nothing of an operator, counts the same pairs."""
    described = covering_from(SMALL.features, SMALL.excluded)
    assert described.pairs == SMALL.pairs
    assert described.decode("0110") == ("a=0", "b=1", "c=1", "d=0")


def test_pairs_that_no_call_had_are_told() -> None:
    met = {"one": {("a=0", "b=0"), ("a=1", "b=2")}, "other": {("a=0", "b=0"), ("a=0", "b=1")}}
    told = PairsMet.of("small", SMALL, met)
    assert (told.pairs, told.met) == (len(SMALL.pairs), 2)  # what does not go together does not count
    assert told.by_implementation == {"one": 1, "other": 2}
    assert "a=0, b=2" in told.missing
    assert "a=0, b=1" not in told.missing
    assert len(told.missing) == len(SMALL.pairs) - 2


class _RowsCase(Case):
    """Describe a call of one tensor."""

    rows: int = dynamic(1, ge=0)


def _judged(of: Callable[[_RowsCase], Mapping[str, str]]) -> Outcome:
    """Run a call of an operator whose features are told by `of`."""
    operator = Operator(
        name="doubled",
        case=_RowsCase,
        inputs=lambda case, device: Inputs((torch.ones(case.rows),)),
        reference=lambda x: x * 2,
        cases=lambda: st.builds(_RowsCase),
        drawing=Drawing(covering=Covering(features={"rows": ("one", "several")}, of=of)),
    )
    implementation = Implementation(
        operator="doubled", name="plain", build=lambda case: lambda x: x + x, devices=("cpu",)
    )
    return execute(operator, implementation, Workload.of(_RowsCase(rows=3, seed=1)), parse("cpu"))


def test_an_outcome_says_what_its_calls_had() -> None:
    assert _judged(lambda case: {"rows": "one" if case.rows == 1 else "several"}).features == ["1"]


def test_features_that_cannot_be_told_are_a_harness_error() -> None:
    outcome = _judged(lambda case: {"rows": "many"})
    assert outcome.workload.status is Status.HARNESS_ERROR
    assert "feature 'rows' of _RowsCase has no value 'many'" in outcome.workload.reason
