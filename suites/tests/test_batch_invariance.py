"""Batch invariance: bits that depend on what stands beside a row are refused of what declares that they do not."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Implementation, Inputs, Oracle, Relation, Status, Verdict, Workload
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.suites.moe import OPERATOR as MOE
from eagerdiff.suites.paged_attention import OPERATOR as PAGED_ATTENTION
from eagerdiff.suites.tests.rows import Rows, implementation_of, operator_of

Expected = Callable[[Any], Any]


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def product(x: Tensor, w: Tensor) -> Tensor:
    """Return x @ w, term after term: bits follow from a row alone."""
    return _sum(x, w, range(x.shape[1]))


def _sum(x: Tensor, w: Tensor, order: Any) -> Tensor:
    total = x.new_zeros(len(x), w.shape[1])
    for inner in order:
        total = total + x[:, inner, None] * w[inner]
    return total


def split_by_batch(x: Tensor, w: Tensor) -> Tensor:
    """Sum in two parts where a small batch leaves cores idle."""
    half = x.shape[1] // 2
    return product(x, w) if len(x) > 2 else _sum(x, w, range(half)) + _sum(x, w, range(half, x.shape[1]))


def ordered_by_neighbour(x: Tensor, w: Tensor) -> Tensor:
    """Sum from the back where the row before has done so: the tile is still in the cache."""
    rows = [
        _sum(row[None], w, range(x.shape[1]) if at % 2 == 0 else reversed(range(x.shape[1])))
        for at, row in enumerate(x)
    ]
    return torch.cat(rows) if rows else product(x, w)


def split_by_padding(x: Tensor, w: Tensor) -> Tensor:
    """Sum in as many parts as divide the padded batch."""
    parts = [_sum(x, w, range(start, x.shape[1], 1 + len(x) % 3)) for start in range(1 + len(x) % 3)]
    return torch.stack(parts).sum(0)


PLANTED = (split_by_batch, ordered_by_neighbour, split_by_padding)


def _rows(given: Inputs, index: Tensor) -> tuple[Inputs, Expected]:
    x, w = given.args
    return Inputs((x[index], w)), lambda output: output[index]


def alone(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    return _rows(given, torch.tensor([1]))


def enlarged(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    return _rows(given, torch.cat((torch.tensor([0]), torch.arange(len(given.args[0])))))


def chunked(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    return _rows(given, torch.arange(1, 3))


def padded(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    x, w = given.args
    changed = Inputs((torch.cat((x, torch.zeros_like(x[:2]))), w))
    return changed, lambda output: torch.cat((output, torch.zeros_like(output[:2])))


RELATIONS = [Relation(change.__name__, change, of_batch=True) for change in (alone, enlarged, chunked, padded)]


def verdict(device: Device, implementation: Implementation, relation: Relation) -> Verdict:
    operator = operator_of(product, relations=[relation])
    return execute(operator, implementation, Workload.of(Rows(rows=6, seed=1)), device).verdicts[0]


@pytest.mark.parametrize("planted", PLANTED)
def test_bits_that_follow_the_batch_are_refused_by_this_oracle_alone(device: Device, planted: Any) -> None:
    declared = implementation_of(planted, batch_invariant=lambda case: True)
    found = [verdict(device, declared, relation) for relation in RELATIONS]
    refused = [one for one in found if one.failed]
    assert refused
    assert all((one.status, one.oracle) == (Status.WRONG_VALUE, Oracle.BATCH) for one in refused)
    assert all(one.relation in one.reason for one in refused)
    assert not any(verdict(device, implementation_of(planted), relation).failed for relation in RELATIONS)


def test_each_relation_finds_what_is_planted_for_it(device: Device) -> None:
    def refused(planted: Callable[..., Any]) -> set[str]:
        declared = implementation_of(planted, batch_invariant=lambda case: True)
        return {relation.name for relation in RELATIONS if verdict(device, declared, relation).failed}

    assert refused(split_by_batch) == {"alone", "chunked"}
    assert refused(ordered_by_neighbour) >= {"alone", "enlarged", "chunked"}
    assert "padded" in refused(split_by_padding)
    assert refused(product) == set()


def test_a_relation_of_something_else_has_the_budget_still(device: Device) -> None:
    declared = implementation_of(split_by_batch, batch_invariant=lambda case: True)
    assert not verdict(device, declared, Relation("alone", alone)).failed


def test_what_is_declared_of_some_cases_is_judged_of_these(device: Device) -> None:
    few = implementation_of(split_by_batch, batch_invariant=lambda case: case.rows < 6)
    assert not verdict(device, few, RELATIONS[0]).failed
    these = implementation_of(split_by_batch, batch_invariant=lambda case: case.rows == 6)
    assert verdict(device, these, RELATIONS[0]).failed


def test_attention_and_experts_are_asked_alone_enlarged_in_chunks_and_padded() -> None:
    asked = {
        operator.name: {one.name for one in operator.judging.relations if one.of_batch}
        for operator in (PAGED_ATTENTION, MOE)
    }
    assert asked["paged_attention"] == {
        *("requests reordered", "request alone", "batch enlarged"),
        *("batch padded", "queries in chunks", "last queries alone"),
    }
    assert asked["moe"] == {"permute_tokens", "leave_token_alone", "enlarge_batch", "take_chunk", "pad_tokens"}
    case = PAGED_ATTENTION.workloads["growing_batch"].cases[0]
    assert [one.name for one in PAGED_ATTENTION.implementations if one.batch_invariant(case)] == ["triton.invariant"]
    batch = MOE.workloads["ragged"].cases[0]
    assert [one.name for one in MOE.implementations if one.batch_invariant(batch)] == ["triton.invariant"]
