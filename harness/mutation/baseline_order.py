"""The order in which a baseline suite is run: a project runs it whole, so it is ours to choose, in its favour."""

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.operator import Operator


def work(operator: Operator, case: Case) -> float:
    """Return how much work a case is: its FLOPs and bytes, as far as the operator counts them."""
    if operator.cost is None:
        return 0.0
    cost = operator.cost(case)
    return cost.flops + cost.bytes


def order_cases(operator: Operator, cases: Iterable[Case]) -> list[Case]:
    """Put first the cheapest cases that hold every pair of the parameters' values, then the rest, each by its work."""
    ranked = sorted(cases, key=lambda case: work(operator, case))
    chosen = _cover(ranked)
    return [case for keep in (True, False) for case, taken in zip(ranked, chosen, strict=True) if taken is keep]


def _cover(cases: Sequence[Case]) -> list[bool]:
    """Say of each case whether it holds a pair of values that none before it holds."""
    rows = [{name: json.dumps(value) for name, value in case.model_dump(mode="json").items()} for case in cases]
    varied = [name for name in (rows[0] if rows else ()) if len({row[name] for row in rows}) > 1]
    seen: set[Any] = set()
    chosen: list[bool] = []
    for row in rows:
        pairs = set(_pairs([(name, row[name]) for name in varied]))
        chosen.append(not pairs <= seen)
        seen |= pairs
    return chosen


def _pairs(values: list[tuple[str, str]]) -> Iterator[Any]:
    return itertools.combinations(values, 2) if len(values) > 1 else iter(values)
