"""The ledger sees what Dynamo, Inductor, Triton and export compile, and why."""

import functools
import itertools
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch._dynamo as dynamo
import torch._functorch.config as functorch_config
import torch._inductor.config as inductor_config
from torch._dynamo import config, exc
from torch._dynamo.utils import clear_compilation_metrics

from eagerdiff.harness.ledger import Ledger
from eagerdiff.harness.ledger.dynamo import due_to
from eagerdiff.suites.tests.alone import printed

_serial = itertools.count()


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    dynamo.reset()
    yield
    dynamo.reset()


def fresh(function: Callable[..., Any]) -> Callable[..., Any]:
    """Copy a function so that Dynamo has never seen it."""
    code = function.__code__.replace(co_name=f"fresh_{next(_serial)}")
    return types.FunctionType(code, function.__globals__, "fresh", function.__defaults__, function.__closure__)


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2 + 1


def square(x: torch.Tensor) -> torch.Tensor:
    return torch.mm(x, x)  # Library calls: Inductor need not run the C++ compiler.


def broken(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    dynamo.graph_break()
    return y.sum()


def looping(x: torch.Tensor) -> torch.Tensor:
    for _ in range(2):
        dynamo.graph_break()
        x = x + 1
    return x


def call_all(function: Callable[..., Any], sizes: tuple[Any, ...]) -> Ledger:
    with Ledger() as ledger:
        for index, size in enumerate(sizes):
            ledger.at(index)
            function(torch.zeros(size))
    return ledger


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return torch.compile(fresh(function), backend="eager", **options)


def test_each_recompile_names_its_call_and_guard() -> None:
    ledger = call_all(compiled(double), (7, 7, 16, 33, 1, 0))

    assert [record.call for record in ledger.records] == [0, 2, 4, 5]
    assert ledger.compile_count == 4
    assert [record.reason for record in ledger.records] == [
        "",
        "tensor 'x' size mismatch at index 0. expected 7, actual 16",
        "2 <= x.size()[0]",
        "tensor 'x' size mismatch at index 0. expected 1, actual 0",
    ]
    assert all(record.guards > 0 and record.seconds > 0 for record in ledger.records)
    assert ledger.fell_back == ledger.contaminated == ledger.ran_eagerly == ""


def test_build_comes_before_the_first_call() -> None:
    function = compiled(double)
    with Ledger() as ledger:
        function(torch.zeros(3))
        ledger.at(0)
        function(torch.zeros(4))
    assert [record.call for record in ledger.records] == [-1, 0]


def test_what_was_compiled_before_is_not_counted() -> None:
    function = compiled(double)
    function(torch.zeros(3))
    assert call_all(function, (3, 3)).records == []


def test_cleared_metrics_are_no_loss() -> None:
    function = compiled(double, dynamic=False)
    with Ledger() as ledger:
        function(torch.zeros(3))
        assert ledger.compile_count == 1
        clear_compilation_metrics()
        function(torch.zeros(4))
    assert ledger.compile_count == 2


def test_more_compilations_than_dynamo_keeps_are_counted() -> None:
    with Ledger() as ledger:
        for index in range(66):
            ledger.at(index)
            compiled(double)(torch.zeros(2))
    assert len(ledger.records) == 66
    assert ledger.compile_count == 1


def test_past_the_recompile_limit_it_fell_back() -> None:
    with config.patch(recompile_limit=8):
        below = call_all(compiled(double, dynamic=False), tuple(range(2, 10)))
        beyond = call_all(compiled(double, dynamic=False), tuple(range(2, 13)))

    assert below.compile_count == 8
    assert below.fell_back == ""
    assert beyond.compile_count == 8
    assert "recompile limit" in beyond.fell_back
    assert [record.call for record in beyond.records if record.failed] == [8]


def test_past_the_limit_with_fullgraph_it_fell_back_too() -> None:
    function = compiled(double, dynamic=False, fullgraph=True)
    with config.patch(recompile_limit=1), Ledger() as ledger:
        function(torch.zeros(2))
        with pytest.raises(exc.FailOnRecompileLimitHit):
            function(torch.zeros(3))
    assert "recompile limit" in ledger.fell_back


def test_a_suppressed_error_fell_back() -> None:
    def refuse(graph: Any, inputs: Any) -> Any:
        raise ValueError("no such thing")

    function = torch.compile(fresh(double), backend=refuse)
    with config.patch(suppress_errors=True):
        ledger = call_all(function, (3,))
    assert "BackendCompilerFailed was suppressed" in ledger.fell_back
    assert ledger.compile_count == 0


def test_a_failure_that_raises_is_recorded_as_failed() -> None:
    def refuse(graph: Any, inputs: Any) -> Any:
        raise ValueError("no such thing")

    function = torch.compile(fresh(double), backend=refuse)
    with Ledger() as ledger, pytest.raises(exc.BackendCompilerFailed):
        function(torch.zeros(3))
    assert [record.failed for record in ledger.records] == ["BackendCompilerFailed"]
    assert ledger.fell_back == ""


def test_each_resume_function_is_a_frame() -> None:
    ledger = call_all(compiled(broken), (7, 16, 33))

    assert ledger.counts == {"dynamo:0": 2, "dynamo:1": 2}
    assert ledger.compile_count == 2
    assert ledger.entry_count == 2
    assert ledger.graph_breaks == 2
    assert [record.graph_breaks for record in ledger.records] == [1, 0, 1, 0]


def test_a_break_inside_a_loop_ran_eagerly() -> None:
    ledger = call_all(compiled(looping), (3,))
    assert ledger.compile_count == 0
    assert "no frame was compiled" in ledger.ran_eagerly
    assert ledger.fell_back == ""


def test_builds_that_share_a_code_object_are_seen() -> None:
    first = torch.compile(double, backend="eager", dynamic=False)
    second = torch.compile(double, backend="eager", dynamic=False)
    call_all(first, (3, 4))
    shared = call_all(second, (5, 6))

    assert "was compiled before" in shared.contaminated
    assert call_all(compiled(double, dynamic=False), (5, 6)).contaminated == ""


def test_a_full_cache_of_another_build_shows_as_no_compile_at_all() -> None:
    with config.patch(recompile_limit=2):
        call_all(torch.compile(double, backend="eager", dynamic=False), (3, 4, 5))
        assert call_all(torch.compile(double, backend="eager"), (6, 7)).compile_count == 0
        assert call_all(compiled(double), (6, 7)).compile_count == 2


def test_inductor_says_whether_its_cache_was_hit(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    caching = inductor_config.patch(compile_threads=1, fx_graph_cache=True)  # an activated device switches it off
    with caching, functorch_config.patch(enable_autograd_cache=True):
        cold = call_all(torch.compile(square), ((3, 3),))
        dynamo.reset()
        warm = call_all(torch.compile(square), ((3, 3),))

    inductor = [[record for record in ledger.records if record.layer == "inductor"] for ledger in (cold, warm)]
    assert [[record.cache_hit for record in records] for records in inductor] == [[False], [True]]
    assert inductor[0][0].seconds > 0
    assert cold.compile_count == warm.compile_count == 1
    assert cold.seconds == sum(record.seconds for record in cold.records if record.layer == "dynamo")


def test_export_is_recorded() -> None:
    class Doubled(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return double(x)

    for _ in range(2):
        with Ledger() as ledger:
            torch.export.export(Doubled(), (torch.zeros(3),))
        assert [record.frame for record in ledger.records if record.layer == "export"] == ["Doubled"]
        assert ledger.compile_count == 1


def test_dynamo_is_not_loaded_for_a_workload_that_does_not_compile() -> None:
    script = (
        "import sys, torch\n"
        "from eagerdiff.harness.ledger import Ledger\n"
        "with Ledger() as ledger:\n"
        "    ledger.at(0)\n"
        "    assert 'torch._dynamo' not in sys.modules\n"
        "    torch.compile(lambda x: x + 1, backend='eager')(torch.zeros(2))\n"
        "print(ledger.compile_count)\n"
    )
    assert printed(script) == "1"


def test_triton_kernels_are_recorded_by_specialisation(tmp_path: Any) -> None:
    script = (
        "import torch\n"
        "from eagerdiff.harness.devices import offline\n"
        "from eagerdiff.harness.ledger import Ledger\n"
        "from eagerdiff.suites.tests.offline_kernels import add_tensors, double\n"
        "with Ledger() as ledger, offline.capture('sm_90'):\n"
        "    for index, size in enumerate((1, 16, 17, 33)):\n"
        "        ledger.at(index)\n"
        "        add_tensors(torch.zeros(size), torch.zeros(size))\n"
        "    double[(1,)](torch.zeros(8), torch.zeros(8), 8)\n"
        "print([(record.layer, record.frame, record.call) for record in ledger.records])\n"
        "print(ledger.compile_count, ledger.records[1].reason)\n"
    )
    environment = {"TRITON_CACHE_DIR": str(tmp_path), "TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1"}
    records, _, count = printed(script, environment).partition("\n")
    kernels = [("triton", "add", 0), ("triton", "add", 1), ("triton", "add", 2)]
    tuned = [("autotune", "double", 3), ("triton", "double", 3)] * 2
    assert records == str(kernels + tuned)
    assert count.startswith("3 x_ptr: *fp32 /16, y_ptr: *fp32 /16, out_ptr: *fp32 /16, n: i32 /16, BLOCK=64")


def test_a_guard_is_due_to_a_line_of_the_program() -> None:
    reason = "0/0: (x.size()[0] % 3) != 0  # return y if n % 3 else x  # mp/r.py:8 in f (_dynamo/a.py:9 in g)"
    assert due_to(reason) == "r.py:8 in f: return y if n % 3 else x"
    assert due_to("0/0: tensor 'x' size mismatch at index 0. expected 5, actual 30") == ""


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        dynamo.graph_break()
        return function(*args, **options)

    return wrapped


@decorated
def first(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@decorated
def second(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return first(x) + y


@decorated
def third(x: torch.Tensor) -> torch.Tensor:
    return second(x, y=x) * 3


@pytest.mark.parametrize(("dynamic", "most"), [(True, 1), (False, 2)])
def test_code_that_serves_several_functions_is_counted_for_each(dynamic: bool, most: int) -> None:
    ledger = call_all(torch.compile(third, backend="eager", dynamic=dynamic), (5, 7))
    assert max(ledger.counts.values()) == 3 * most
    assert ledger.compile_count == most


def test_a_function_that_is_called_with_other_types_counts_as_often_as_it_is_compiled() -> None:
    function = compiled(double)
    with Ledger() as ledger:
        for index, value in enumerate((torch.zeros(3), torch.zeros(3).double(), torch.nn.Parameter(torch.zeros(3)))):
            ledger.at(index)
            function(value)
    assert ledger.compile_count == max(ledger.counts.values()) == 3
