"""The number of a dim may not come from data: that is excused, of dims alone, and no other integer."""

import pytest

from eagerdiff import Status, Workload
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.torch_api.call import Argument, Call, Step, TensorSpec
from eagerdiff.strategies.torch_api.cases import Domain, TorchApiCase
from eagerdiff.strategies.torch_api.forms import as_argument, as_item, chosen
from eagerdiff.strategies.torch_api.numbered_dims import varying_dim
from eagerdiff.suites.torch_api import OPERATOR

WAYS = {one.name: one for one in OPERATOR.implementations}
RULE = "the number of a dim from data"


def call(function: str, *args: Argument, **kwargs: Argument) -> Call:
    step = Step(function=function, args=({"tensor": 0}, *args), kwargs=kwargs)
    return Call(steps=(step,), tensors=(TensorSpec(shape=("a", 3)),))


@pytest.mark.parametrize(
    ("plain", "path"),
    [
        (call("torch.cumsum", 1), (0, "args", 1)),
        (call("torch.linalg.diagonal", dim1=1), (0, "kwargs", "dim1")),
        (call("torch.max", 1), (0, "args", 1)),
        (call("torch.Tensor.permute", {"tuple": [1, 0]}), (0, "args", 1, "tuple", 0)),
        (call("torch.nn.functional.softmin", 1), (0, "args", 1)),
        (call("torch.ops.aten.cumsum.default", 1), (0, "args", 1)),
        (call("torch.special.log_softmax", 1), (0, "args", 1)),
    ],
)
def test_what_numbers_a_dim_is_known_by_its_parameter(plain: Call, path: tuple[int | str, ...]) -> None:
    assert not varying_dim(plain)
    assert plain.steps[0].function in varying_dim(as_item(plain, path, 1))
    assert plain.steps[0].function in varying_dim(as_argument(plain, path, "int"))


@pytest.mark.parametrize(
    ("plain", "path"),
    [
        (call("torch.narrow", 1, 0, 1), (0, "args", 3)),
        (call("torch.mul", 3), (0, "args", 1)),
        (call("torch.combinations", r=2), (0, "kwargs", "r")),
        (call("torch.nn.functional.adaptive_avg_pool1d", 2), (0, "args", 1)),
    ],
)
def test_another_integer_numbers_no_dim(plain: Call, path: tuple[int | str, ...]) -> None:
    assert not varying_dim(as_item(plain, path, 1))


def verdict(one: Call, way: str) -> tuple[Status, str]:
    case = TorchApiCase(entry="op_db:add", call=one, sizes={"a": 4}, domain=Domain(example={"a": 4}))
    device = parse("cpu")
    device.activate()
    outcome = execute(OPERATOR, WAYS[way], Workload((case,)), device, relations=False)
    return outcome.verdicts[0].status, outcome.verdicts[0].reason


@pytest.mark.parametrize("way", ["export.dynamic", "aot_eager.dynamic"])
def test_a_dim_that_is_read_is_excused_and_a_chosen_size_is_none(way: str) -> None:
    read = as_item(call("torch.cumsum", 1), (0, "args", 1), 1)
    status, reason = verdict(read, way)
    assert status is Status.SKIPPED
    assert reason.startswith(f"{RULE}: dim of torch.cumsum")
    status, reason = verdict(chosen(call("torch.cov"), 0), way)
    assert status is Status.RAISED
    assert "data-dependent" in reason
