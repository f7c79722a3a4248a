"""How often a drawn program may compile: once for each way in which its calls differ."""

from typing import Any

import pytest

from eagerdiff import Workload
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites.programs import OPERATOR

POOL: dict[str, Any] = {"k": 1, "stride": 2, "ceil": True}
"""`F.lp_pool1d(x, 2.0, 1, stride=2, ceil_mode=True)`: the last window may begin past the end, and is then left out."""


def limit(op: str, attrs: dict[str, Any], shape: tuple[int | str, ...], sizes: tuple[int, ...]) -> int:
    program = Program(inputs=(Input(shape=shape),), nodes=(Node(op=op, args=(0,), attrs=attrs),), outputs=(1,))
    workload = Workload(tuple(ProgramCase(program=program, sizes={"a": size}) for size in sizes))
    name = "dynamo.mark_dynamic"
    max_compiles = next(one.max_compiles for one in OPERATOR.implementations if one.name == name)
    assert max_compiles is not None
    return max_compiles(workload)


@pytest.mark.parametrize(("sizes", "compiles"), [((3, 5), 1), ((4, 6), 1), ((3, 4), 2), ((3, 4, 5, 6), 2)])
def test_each_side_that_is_the_smaller_may_be_a_graph(sizes: tuple[int, ...], compiles: int) -> None:
    assert limit("lp_pool1d", POOL, (2, 2, "a"), sizes) == compiles


@pytest.mark.parametrize(("sizes", "compiles"), [((4, 6), 1), ((2, 4), 2), ((2, 3, 4), 2)])
def test_a_computed_size_of_one_may_be_a_graph(sizes: tuple[int, ...], compiles: int) -> None:
    assert limit("lp_pool1d", {"k": 2, "stride": 2, "ceil": False}, (2, 2, "a"), sizes) == compiles


def test_an_operation_without_branches_is_compiled_once() -> None:
    assert limit("neg", {}, (2, "a"), (2, 3, 4, 5)) == 1


def test_both_sides_of_a_branch_may_need_every_graph() -> None:
    sizes = (2, 3, 8, 7)
    assert limit("branch_on_parity", {}, ("a",), sizes) == 2 * limit("neg", {}, ("a",), sizes)
