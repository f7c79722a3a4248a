"""The speed of a way against another of the same program, and of compiling against the number of dynamic sizes."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Mode, Stage, Status, Workload
from eagerdiff.compiled.backend import Backend
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.timing.comparison import compare
from eagerdiff.harness.timing.growth import growth_of
from eagerdiff.harness.timing.loops import Loops
from eagerdiff.harness.timing.work import Work, work_of
from eagerdiff.suites.benchmarks import falling, growing, ways
from eagerdiff.suites.tests.rows import Rows, operator_of, reference

WORKLOAD = Workload.of(*(Rows(rows=rows) for rows in (4, 7, 9)))


def twice_where_dynamic(graph: torch.fx.GraphModule, example_inputs: Any) -> Callable[..., Any]:
    """Do the work twice where a size is symbolic: right values, one compile, no more memory in the end."""
    symbolic = any(isinstance(one, torch.SymInt) for one in example_inputs)

    def run(*args: Any) -> Any:
        if symbolic:
            graph(*args)
        return graph(*args)

    return run


def lines(called: Any) -> list[str]:
    backend = Backend(name="dynamo", stage=Stage.DYNAMO, called=called)
    made = Compilable(operator="rows", function=always(reference), dims={0: [0]}).implementations(backends=[backend])
    return list(ways.lines(operator_of(), {one.name: one for one in made}, WORKLOAD))


def test_a_dynamic_graph_that_does_its_work_twice_is_seen_by_its_work_alone() -> None:
    found = lines(twice_where_dynamic)
    assert {line.split()[1] for line in found} == {
        "dynamo.automatic",
        "dynamo.dynamic",
        "dynamo.mark_dynamic",
        "dynamo.unbacked",
    }
    assert "operations=4" in found[0]
    assert "does Work(operations=2" in found[0]
    device = parse("cpu")
    device.activate()
    backend = Backend(name="dynamo", stage=Stage.DYNAMO, called=twice_where_dynamic)  # type: ignore[arg-type]
    for one in Compilable(operator="rows", function=always(reference), dims={0: [0]}).implementations(
        backends=[backend]
    ):
        outcome = execute(operator_of(), one, WORKLOAD, device)
        assert {verdict.status for verdict in (*outcome.verdicts, outcome.workload)} <= {Status.PASSED, Status.SKIPPED}


def test_ways_that_do_the_same_work_are_not_told() -> None:
    assert lines("eager") == []


def test_work_is_counted_without_views() -> None:
    x = torch.ones(3, 4)
    assert work_of(lambda: x.T.contiguous()[2:].T) == Work(1, 24)
    assert work_of(lambda: x.T.reshape(-1)) == Work(1, 24)
    assert work_of(lambda: x.T) == Work(0, 0)
    assert work_of(lambda: x + x) == Work(1, 36)


class Clock:
    """Tell a time that calls move on: tests want no idle machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def taking(self, *seconds: float) -> Callable[[], None]:
        left = [*seconds]

        def call() -> None:
            self.now += left[0]
            left.append(left.pop(0))

        return call


def test_a_call_is_slower_only_beyond_the_noise_of_the_other_one() -> None:
    clock = Clock()
    noisy = clock.taking(1.0, 1.3, 1.1, 0.9, 1.2)
    double = compare(clock.taking(2.0, 2.2), noisy, clock=clock)
    assert double.slower
    assert double.ratio == pytest.approx(2.0, rel=0.2)
    assert not compare(clock.taking(1.2), noisy, clock=clock).slower
    assert not compare(noisy, clock.taking(1.0, 1.3, 1.1, 0.9, 1.2), clock=clock).slower
    with pytest.raises(ValueError, match="grain"):
        compare(clock.taking(0.0), noisy, clock=clock)


def test_an_exponent_is_told_from_the_noise_of_two_sweeps() -> None:
    sizes = (1, 2, 4, 8, 16, 32, 64)
    flat = [{size: 5.0 + size for size in sizes}] * 2
    assert growth_of(flat, start=8).exponent < 0.95
    square = growth_of([{size: 5.0 + noise * size**2 for size in sizes} for noise in (1.0, 1.05)], start=8)
    assert square.exponent == pytest.approx(1.97, abs=0.05)
    assert square.exceeds(1)
    unsure = growth_of([{size: float(size) for size in sizes}, {size: float(size) ** 2 for size in sizes}])
    assert not unsure.exceeds(1)
    with pytest.raises(ValueError, match="two"):
        growth_of(flat[:1])
    with pytest.raises(ValueError, match="above 0"):
        growth_of([{1: 0.0, 2: 1.0}] * 2)


@pytest.mark.parametrize(("power", "above"), [(1, False), (2, True)])
def test_a_quadratic_pass_shows_in_the_exponent_and_nowhere_else(power: int, above: bool) -> None:
    """The pass takes seconds of the clock by the nodes of the graph; what it compiles is right."""
    clock = Clock()

    def backend(graph: torch.fx.GraphModule, example_inputs: Any) -> Callable[..., Any]:
        clock.now += sum(node.op == "call_method" for node in graph.graph.nodes) ** power
        return graph.forward

    found = growing.growth(growing.apart, backend, counts=(4, 8, 16, 32), clock=clock)
    assert found.exceeds(1.05) is above
    assert found.exponent == pytest.approx(power, abs=0.1)
    torch.compiler.reset()
    given = growing.tensors(5)
    compiled = torch.compile(growing.apart, backend=backend, dynamic=True)(*given)
    assert all(map(torch.equal, compiled, growing.apart(*given)))


@pytest.mark.parametrize("name", growing.PROGRAMS)
def test_each_program_is_one_graph_of_symbolic_sizes(name: str) -> None:
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph: torch.fx.GraphModule, example_inputs: list[Any]) -> Callable[..., Any]:
        graphs.append(graph)
        assert sum(isinstance(one, torch.SymInt) for one in example_inputs) == 4
        return graph.forward

    torch.compiler.reset()
    given = growing.tensors(4)
    program = growing.PROGRAMS[name]
    torch.compile(program, backend=backend, dynamic=True, fullgraph=True)(*given)
    assert len(graphs) == 1
    assert isinstance(given[0], Tensor)


def serial_where_dynamic(program: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile with loops that no thread shares, unless every size is static: right values, one compile."""
    more: dict[str, Any] = {} if options.get("dynamic") is False else {"cpp.min_chunk_size": 1 << 40}
    return torch.compile(program, options=more, **options)


def test_a_kernel_that_falls_from_parallel_to_serial_is_told_from_its_code() -> None:
    static, large = falling.loops(falling.elementwise, Mode.STATIC, [falling.LARGE]), [falling.LARGE]
    assert static == Loops(kernels=1, parallel=1, vectorised=1)
    assert falling.loops(falling.elementwise, Mode.DYNAMIC, large).fallen(static) == ""
    assert falling.loops(falling.elementwise, Mode.DYNAMIC, large, serial_where_dynamic).fallen(static) == "parallel"
