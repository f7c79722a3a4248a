"""The ways of compiling: names, marks, buckets, and what one build must not know of another."""

import importlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import torch._dynamo.config as dynamo_config
from hypothesis import given
from hypothesis import strategies as st
from torch._dynamo.utils import counters

from eagerdiff import Mode
from eagerdiff.compiled.backend import BACKENDS, DYNAMO, INDUCTOR
from eagerdiff.compiled.buckets import bucket, crop, pad
from eagerdiff.compiled.compile_config import CompileConfig, fresh, mark
from eagerdiff.compiled.torch_compile import MODES, Compilable
from eagerdiff.harness.model.mode import MODES as EVERY_MODE
from eagerdiff.suites.tests.examples import FEW

fx_config: Any = importlib.import_module("torch.fx.experimental._config")

DIMS = {0: {0: "batch"}, "y": {0: "batch"}}
OUTPUTS = ({0: "batch"},)
CONFIGURED = (
    "capture_scalar_outputs",
    "capture_dynamic_output_shape_ops",
    "recompile_limit",
    "accumulated_recompile_limit",
)
BATCHES = (7, 16, 33, 1, 0)


def scaled_sum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x * 2.0 + y


SCALED = Compilable(operator="symbolic", function=lambda case: scaled_sum)


def run(config: CompileConfig, function: Any = scaled_sum) -> int:
    """Call over the batches, compare with eager, return the number of graphs."""
    torch._dynamo.reset()
    counters.clear()
    compiled = config.compile(function)
    for batch in BATCHES:
        x, y = torch.randn(batch, 4), torch.randn(batch, 4)
        torch.testing.assert_close(compiled(x, y=y), function(x, y=y))
    return counters["stats"]["unique_graphs"]


def test_ways_are_named_after_backend_and_mode() -> None:
    found = {one.name: one for one in SCALED.implementations()}
    assert set(found) == {f"{backend.name}.{mode.name}" for backend in BACKENDS for mode in MODES}
    assert tuple(found["inductor_triton.static"].devices) == ("interpreted",)
    assert found["dynamo.unbacked"].mode is Mode.UNBACKED


def test_modes_that_need_dims_say_so() -> None:
    found = {one.name: one for one in SCALED.implementations(backends=(DYNAMO,))}
    case = SimpleNamespace()
    for mode in (Mode.MARK_DYNAMIC, Mode.UNBACKED, Mode.BUCKETED):
        assert "dims" in (found[f"dynamo.{mode.name}"].supports(case) or "")
    assert found["dynamo.dynamic"].supports(case) is None


def test_bucketed_needs_outputs() -> None:
    (one,) = replace(SCALED, dims=DIMS).implementations(backends=(DYNAMO,), modes=(Mode.BUCKETED,))
    assert "another result" in (one.supports(SimpleNamespace()) or "")


@pytest.mark.parametrize(
    ("mode", "graphs"),
    [
        (Mode.STATIC, 5),
        (Mode.AUTOMATIC, 4),
        (Mode.DYNAMIC, 3),
        (Mode.MARK_DYNAMIC, 3),
        (Mode.UNBACKED, 1),
        (Mode.BUCKETED, 3),
    ],
)
def test_each_mode_is_right_and_compiles_as_often_as_it_says(mode: Mode, graphs: int) -> None:
    assert run(CompileConfig(backend=DYNAMO, mode=mode, dims=DIMS, outputs=OUTPUTS)) == graphs


@pytest.mark.parametrize("mode", EVERY_MODE, ids=str)
def test_source_stands_alone(mode: Mode) -> None:
    config = CompileConfig(backend=DYNAMO, mode=mode, dims=DIMS, outputs=OUTPUTS)
    torch._dynamo.reset()
    scope: dict[str, Any] = {"torch": torch, "reference": scaled_sum}
    kept = dynamo_config.patch({name: getattr(dynamo_config, name) for name in CONFIGURED})
    with kept, fx_config.patch(backed_size_oblivious=False):
        exec(config.source(), scope)
        for batch in BATCHES:
            x, y = torch.randn(batch, 4), torch.randn(batch, 4)
            torch.testing.assert_close(scope["implementation"](x, y=y), scaled_sum(x, y))


def test_inductor_compiles_to_cpp() -> None:
    assert run(CompileConfig(backend=INDUCTOR, mode=Mode.UNBACKED, dims=DIMS)) == 1


def test_ignored_options_only_chose_the_function() -> None:
    config = CompileConfig(backend=DYNAMO, mode=Mode.DYNAMIC, dims={}, ignored=("program",))
    x = torch.ones(3)
    assert torch.equal(config.compile(scaled_sum)(x, x, program="sum"), 3 * x)


def test_builds_of_one_function_do_not_know_each_other() -> None:
    torch._dynamo.reset()
    config = CompileConfig(backend=DYNAMO, mode=Mode.AUTOMATIC, dims=DIMS)
    first, second = config.compile(scaled_sum), config.compile(scaled_sum)
    for batch in (7, 8):
        first(torch.ones(batch, 4), y=torch.ones(batch, 4))
    counters.clear()
    for batch in (9, 10, 11):
        second(torch.ones(batch, 4), y=torch.ones(batch, 4))
    assert counters["stats"]["unique_graphs"] == 2, "the second build starts static, as if there were no first"


def test_fresh_copies_what_is_no_function() -> None:
    assert fresh(torch.nn.ReLU())(torch.tensor([-1.0, 2.0])).tolist() == [0.0, 2.0]


def test_marks_stand_on_the_input() -> None:
    dynamic, unbacked, plain = torch.ones(3, 4), torch.ones(3, 4), torch.ones(3, 4)
    mark(dynamic, {1: "seq"}, Mode.MARK_DYNAMIC)
    mark(unbacked, {0: "batch"}, Mode.UNBACKED)
    mark(plain, {0: "batch"}, Mode.DYNAMIC)
    assert getattr(dynamic, "_dynamo_dynamic_indices") == {1}  # noqa: B009
    assert getattr(unbacked, "_dynamo_unbacked_indices") == {0}  # noqa: B009
    assert not hasattr(plain, "_dynamo_dynamic_indices")


@FEW
@given(st.integers(0, 5000))
def test_bucket_is_the_least_power_of_two_that_holds(size: int) -> None:
    found = bucket(size)
    assert found >= max(size, 8)
    assert found.bit_count() == 1
    assert found == 8 or found // 2 < size


@FEW
@given(st.integers(0, 20), st.integers(0, 20))
def test_padding_is_zero_and_cut_off_again(batch: int, seq: int) -> None:
    tensor = torch.arange(1.0, 1.0 + batch * seq * 3).view(batch, 3, seq)
    axes = {0: "batch", 2: "seq"}
    padded = pad(tensor, axes)
    assert padded.shape == (bucket(batch), 3, bucket(seq))
    assert padded.count_nonzero() == tensor.numel()
    assert torch.equal(crop((padded,), [axes], {"batch": batch, "seq": seq})[0], tensor)


def test_outputs_and_axes_must_pair_up() -> None:
    with pytest.raises(ValueError, match="2 outputs, but axes for 1"):
        crop((torch.ones(8), torch.ones(8)), [{0: "batch"}], {"batch": 3})
