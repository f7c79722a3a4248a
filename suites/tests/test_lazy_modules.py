"""Lazy modules: compiled before their parameters have sizes, then told what their counterparts hold."""

import pytest
import torch

from eagerdiff import Workload
from eagerdiff.compiled.rewriting.body import Body, defined
from eagerdiff.compiled.rewriting.laziness import lazy
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.reference.programs import function_of
from eagerdiff.strategies.torch_api.cases import TorchApiCase, inputs
from eagerdiff.strategies.torch_api.table import entries
from eagerdiff.suites.torch_api import OPERATOR

CPU = parse("cpu")
WAYS = {one.name: one for one in OPERATOR.implementations}
WAY = "dynamo.dynamic+lazy"
LAZY = sorted(name for name in dir(torch.nn) if name.startswith("Lazy"))
EAGER = {"disable": True}


def case(name: str, seed: int = 0) -> TorchApiCase:
    entry = entries()[f"module_db:{name}"]
    template = next(one for one in entry.templates if not one.random)
    return TorchApiCase(entry=f"module_db:{name}", call=template.call, sizes=template.sizes, seed=seed)


@pytest.mark.parametrize("name", LAZY)
def test_every_lazy_module_stands_for_its_counterpart(name: str) -> None:
    """In eager: what it gives, and what it writes to its buffers, in calls of other values."""
    own = case(name.removeprefix("Lazy"))
    assert WAYS[WAY].unsupported(own) is None
    function = function_of(inputs(own, "cpu").options["source"])
    made = defined(lazy(Body.of(function)), function, "build")(EAGER)
    for seed in range(3):
        ours, theirs = (inputs(case(name.removeprefix("Lazy"), seed), "cpu").args for _ in range(2))
        for one, other in zip((*made(*ours), *ours), (*function(*theirs), *theirs), strict=True):
            torch.testing.assert_close(one, other, equal_nan=True)


def test_what_has_no_lazy_counterpart_is_not_taken() -> None:
    for other in (case("ReLU"), case("Linear").model_copy(update={"gradients": True})):
        assert WAYS[WAY].unsupported(other)
    call = case("Linear").call
    assert WAYS[WAY].unsupported(case("Linear").model_copy(update={"call": call.model_copy(update={"within": "cond"})}))


def failing(way: str, name: str) -> bool:
    CPU.activate()
    torch._dynamo.reset()
    calls = Workload((case(name), case(name, 1)))
    return execute(OPERATOR, WAYS[way], calls, CPU, relations=False).first_failure is not None


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="a defect of that release")
def test_sizes_that_dynamo_finds_as_symbols() -> None:
    """github.com/pytorch/pytorch/issues/185488: no other way meets a module without sizes."""
    others = ("dynamo.dynamic", "dynamo.dynamic+reloaded_module", "dynamo.dynamic+state_given")
    assert [way for way in (*others, WAY) if failing(way, "Linear")] == [WAY]
