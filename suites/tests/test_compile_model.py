"""The compile model holds against the real Dynamo, call by call, and catches a compiler that compiles too often."""

import importlib
import itertools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
import torch._dynamo as dynamo
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from torch._dynamo import config
from torch._dynamo.decorators import mark_unbacked

from eagerdiff import Inputs, Mode
from eagerdiff.harness.internals.dynamo_config import DYNAMO, SHAPES, patched
from eagerdiff.harness.ledger import Ledger, Signature, expected, signature
from eagerdiff.harness.ledger.behaviour import BEHAVIOURS, Behaviour, behaviour, behaviour_of
from eagerdiff.harness.ledger.model import bucketed, changing
from eagerdiff.harness.ledger.simulation import CodeCache

_serial = itertools.count()
COMPILING = (Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED)
SIZES = (0, 1, 2, 3, 4, 5, 8)
Calls = Sequence[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    dynamo.reset()
    with config.patch(recompile_limit=64):
        yield
    dynamo.reset()


def one(x: torch.Tensor) -> torch.Tensor:
    return x * 2 + 1


def two(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.sum() + (y * 2).sum()


def three(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x.sum() + y.sum() + z.sum()


def scaled(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k + 1


def branching(x: torch.Tensor) -> torch.Tensor:
    return x + 1 if x.size(0) > 4 else x - 1


STAMP = ""


def stamped(x: torch.Tensor) -> torch.Tensor:
    return x + len(STAMP)


def signatures(calls: Calls) -> list[Signature]:
    return [signature(Inputs(args)) for args in calls]


def compiled(function: Callable[..., Any], mode: Mode, backend: Any = "eager") -> Callable[..., Any]:
    code = function.__code__.replace(co_name=f"fresh_{next(_serial)}")
    copy = types.FunctionType(code, function.__globals__, "fresh", function.__defaults__, function.__closure__)
    return torch.compile(copy, backend=backend, dynamic={Mode.STATIC: False, Mode.DYNAMIC: True}.get(mode))


def run(function: Callable[..., Any], calls: Calls, mode: Mode, backend: Any = "eager") -> Ledger:
    """Make the calls as a user of the mode would: the dims that change are marked where the mode marks."""
    varying, target = changing(signatures(calls)), compiled(function, mode, backend)
    with Ledger() as ledger:
        for index, args in enumerate(calls):
            ledger.at(index)
            fresh = [value.detach() if isinstance(value, torch.Tensor) else value for value in args]
            for path, _, dim in varying:
                mark(fresh[int(path.removeprefix("args[").rstrip("]"))], dim, mode)
            target(*fresh)
    return ledger


def mark(tensor: torch.Tensor, dim: int, mode: Mode) -> None:
    if mode == Mode.MARK_DYNAMIC:
        dynamo.mark_dynamic(tensor, dim)
    elif mode == Mode.UNBACKED:
        mark_unbacked(tensor, dim)


@st.composite
def workloads(draw: st.DrawFn, *, strided: bool = False) -> tuple[Callable[..., Any], Calls]:
    """Draw a function of one to three tensors, and calls in which some dims change between a few sizes each."""
    function, tensors, scalars = draw(st.sampled_from([(one, 1, 0), (two, 2, 0), (three, 3, 0), (scaled, 1, 1)]))
    choices = st.lists(st.sampled_from(SIZES), min_size=1, max_size=4, unique=True).map(st.sampled_from)
    ranks = [draw(st.lists(choices, min_size=1, max_size=3)) for _ in range(tensors)]
    layout = st.sampled_from(("contiguous", "transposed", "padded") if strided else ("contiguous",))
    calls = st.tuples(
        *(st.builds(build, st.tuples(*dims), layout) for dims in ranks),
        *(st.sampled_from((2, 3, 0, 1, 2.5, -1)) for _ in range(scalars)),
    )
    return function, draw(st.lists(calls, min_size=2, max_size=8))


def build(shape: tuple[int, ...], layout: str) -> torch.Tensor:
    if layout == "transposed":
        return torch.zeros(shape[::-1]).permute(*reversed(range(len(shape)))).clone()
    if layout == "padded":
        return torch.zeros([size + 1 for size in shape])[tuple(slice(size) for size in shape)]
    return torch.zeros(shape)


SMALL = settings(max_examples=8, deadline=None, phases=(Phase.explicit, Phase.generate, Phase.shrink), database=None)


@pytest.mark.parametrize("mode", COMPILING, ids=str)
@SMALL
@given(workload=workloads())
def test_model_is_exact_for_contiguous_inputs(mode: Mode, workload: tuple[Callable[..., Any], Calls]) -> None:
    function, calls = workload
    expectation = expected(mode, signatures(calls))

    ledger = run(function, calls, mode)

    assert tuple(record.call for record in ledger.records) == expectation.calls
    assert ledger.compile_count == expectation.high
    assert ledger.fell_back == ledger.contaminated == ""


@pytest.mark.parametrize("mode", COMPILING, ids=str)
@SMALL
@example(workload=(one, [(build((0, 0, 2), "padded"),), (build((1, 1, 2), "contiguous"),)]))
@example(workload=(one, [(build((3, 3, 3), "padded"),), (build((5, 0, 3), "padded"),)]))
@given(workload=workloads(strided=True))
def test_model_bounds_strided_inputs(mode: Mode, workload: tuple[Callable[..., Any], Calls]) -> None:
    function, calls = workload
    expectation = expected(mode, signatures(calls))

    ledger = run(function, calls, mode)

    assert expectation.low <= ledger.compile_count <= expectation.high


def sized(*sizes: int) -> Calls:
    return [(torch.zeros(size),) for size in sizes]


@pytest.mark.parametrize(("mode", "count"), list(zip(COMPILING, (6, 4, 3, 3, 1), strict=True)), ids=str)
def test_model_gives_the_figures_of_the_design(mode: Mode, count: int) -> None:
    calls = sized(7, 16, 33, 1, 0, 128)
    assert expected(mode, signatures(calls)).high == count
    assert run(one, calls, mode).compile_count == count


def test_equal_sizes_share_a_symbol_until_they_differ() -> None:
    calls = [(torch.zeros(4), torch.zeros(4)), (torch.zeros(5), torch.zeros(6)), (torch.zeros(7), torch.zeros(7))]
    assert expected(Mode.DYNAMIC, signatures(calls)).calls == (0, 1)
    assert expected(Mode.MARK_DYNAMIC, signatures(calls)).calls == (0,)
    assert run(two, calls, Mode.DYNAMIC).compile_count == 2


def test_each_newly_changing_dim_costs_a_compile() -> None:
    calls = [(torch.zeros(4, 5),), (torch.zeros(4, 6),), (torch.zeros(3, 6),), (torch.zeros(3, 7),)]
    assert expected(Mode.AUTOMATIC, signatures(calls)).calls == (0, 1, 2)


def test_a_branch_on_a_size_needs_an_allowance() -> None:
    calls = sized(8, 3)
    ledger = run(branching, calls, Mode.DYNAMIC)
    assert expected(Mode.DYNAMIC, signatures(calls)).over(ledger.compile_count)
    assert not expected(Mode.DYNAMIC, signatures(calls), extra=1).over(ledger.compile_count)


def test_a_way_that_forgets_its_marks_is_over() -> None:
    calls = sized(2, 3, 4)
    ledger = run(one, calls, Mode.STATIC)
    assert "3 compiles, 1 allowed" in expected(Mode.UNBACKED, signatures(calls)).over(ledger.compile_count)


def test_a_guard_on_something_that_changes_each_call_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, function = sized(2, 3, 4), compiled(stamped, Mode.DYNAMIC)
    with Ledger() as ledger:
        for index, args in enumerate(calls):
            ledger.at(index)
            monkeypatch.setitem(globals(), "STAMP", f"call {index}")
            function(*args)
    assert expected(Mode.DYNAMIC, signatures(calls)).over(ledger.compile_count)
    assert "STAMP" in ledger.records[1].reason


def test_fewer_compiles_than_the_model_are_noted() -> None:
    calls = [(torch.zeros(2), torch.zeros(size)) for size in (2, 3, 4)]

    def blind(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + 1

    expectation = expected(Mode.STATIC, signatures(calls))
    ledger = run(blind, calls, Mode.STATIC)
    assert ledger.compile_count == 1
    assert "3 expected" in expectation.under(ledger.compile_count)
    assert not expectation.over(ledger.compile_count)


def test_one_compile_a_bucket_touched() -> None:
    described = signatures([(torch.zeros(size, 3),) for size in (0, 1, 8, 9, 16, 17, 33, 40)])
    expectation = expected(Mode.BUCKETED, described)
    assert expectation.calls == (0, 3, 5, 6)
    assert expectation.low == expectation.high == 4
    assert bucketed(described[3], changing(described)).tensors[0].shape == (16, 3)


def test_other_dtypes_ranks_and_flags_compile_again() -> None:
    calls = [(torch.zeros(3),), (torch.zeros(3, dtype=torch.float16),), (torch.zeros(3, 3),)]
    for mode in COMPILING:
        assert expected(mode, signatures(calls)).high == 3


def test_a_workload_without_calls_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one call"):
        expected(Mode.STATIC, [])


def test_signature_walks_containers_and_tells_values_apart() -> None:
    first = signature(Inputs(([torch.zeros(2, 3)], 4), {"causal": True, "dtype": torch.float16}))
    other = signature(Inputs(([torch.zeros(2, 3)], 5), {"causal": True, "dtype": torch.float16}))
    assert [tensor.path for tensor in first.tensors] == ["args[0][0]"]
    assert first != other
    assert (
        len({first, other, signature(Inputs(([torch.zeros(2, 3)], 4), {"causal": True, "dtype": torch.float16}))}) == 2
    )
    assert "float32[2, 3]" in first.describe()


def test_settings_that_the_model_counts_on_are_as_the_table_says_for_this_torch() -> None:
    modules = [importlib.import_module(name) for name in (SHAPES, DYNAMO)]
    for name, value in behaviour().settings.items():
        # Another test may have changed what is set: the default is asked for.
        homes = [module for module in modules if name in module._config]
        assert [home._config[name].default for home in homes] == [value], name


def test_a_setting_that_a_release_does_not_have_is_not_in_its_row() -> None:
    dynamo_config = importlib.import_module(DYNAMO)
    known = {name for row in BEHAVIOURS for name in row.settings} - set(behaviour().settings)
    assert [name for name in known if hasattr(dynamo_config, name)] == []


@pytest.mark.parametrize(
    ("release", "since"), [((2, 10), (2, 11)), ((2, 11), (2, 11)), ((2, 13), (2, 13)), ((2, 15), (2, 13))]
)
def test_a_release_has_the_last_row_that_is_not_newer(release: tuple[int, int], since: tuple[int, int]) -> None:
    assert behaviour_of(release).since == since


def test_the_model_reads_what_is_specialised_and_shared_from_the_row() -> None:
    sizes = signatures(sized(7, 1, 0, 16))
    apart = signatures([(torch.zeros(4), torch.zeros(4)), (torch.zeros(5), torch.zeros(6))])
    for row, specialised, shared in (
        (Behaviour((2, 11)), [True, True, True, False], [True, True]),
        (Behaviour((2, 11), specialised=(), duck=False), [True, False, False, False], [True, False]),
    ):
        for calls, compiles in ((sizes, specialised), (apart, shared)):
            cache = CodeCache("dynamic", dynamo=row)
            assert [cache.call(one) for one in calls] == compiles


def test_oblivious_sizes_share_code_with_0_and_1() -> None:
    calls = sized(7, 16, 33, 1, 0, 128)
    with patched(SHAPES, {"backed_size_oblivious": True}):
        assert run(one, calls, Mode.DYNAMIC).compile_count == expected(Mode.OBLIVIOUS, signatures(calls)).high == 1
