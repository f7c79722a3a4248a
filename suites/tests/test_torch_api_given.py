"""Outputs that are given, and numbers as tensors of no dims: eager's answer is that of the plain call."""

import pytest
import torch

from eagerdiff.strategies.torch_api.call import Call, ModuleSpec, Step, TensorSpec
from eagerdiff.strategies.torch_api.cases import TorchApiCase, inputs
from eagerdiff.strategies.torch_api.forms import as_argument, as_known_argument
from eagerdiff.strategies.torch_api.given import KINDS, as_tensor, takes_output, written
from eagerdiff.suites.torch_api import OPERATOR

ADD = Call(
    steps=(Step(function="torch.add", args=({"tensor": 0}, {"tensor": 1}), kwargs={"alpha": 3}),),
    tensors=(TensorSpec(shape=("a", 3)), TensorSpec(shape=("a", 3))),
)


def answer(call: Call) -> tuple[torch.Tensor, str]:
    given = inputs(TorchApiCase(entry="op_db:add", call=call, sizes={"a": 4}), "cpu")
    (found,) = OPERATOR.reference(*given.args, **given.options)
    return found, given.options["source"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_that_writes_where_it_is_told_to_gives_what_the_plain_one_gives(kind: str) -> None:
    plain, _ = answer(ADD)
    found, source = answer(written(ADD, kind))
    assert "out=" in source
    assert torch.equal(found, plain)


def test_the_first_argument_may_be_written_over() -> None:
    given = inputs(TorchApiCase(entry="op_db:add", call=written(ADD, "argument"), sizes={"a": 4}), "cpu")
    before = given.args[0].clone()
    (found,) = OPERATOR.reference(*given.args, **given.options)
    assert found is given.args[0]
    assert not torch.equal(before, found)


@pytest.mark.parametrize(("value", "dtype"), [(3, torch.int64), (0.5, torch.float32)])
def test_a_number_may_be_a_tensor_of_no_dims(value: float, dtype: torch.dtype) -> None:
    path = (0, "kwargs", "alpha")
    plain, _ = answer(ADD.replaced({path: value}))
    call = as_tensor(ADD, path, value)
    given = inputs(TorchApiCase(entry="op_db:add", call=call, sizes={"a": 4}), "cpu")
    assert (given.args[2].shape, given.args[2].dtype) == ((), dtype)
    assert torch.equal(answer(call)[0], plain)


@pytest.mark.parametrize(
    "call",
    [
        written(ADD, "alike"),
        written(ADD, "argument"),
        ADD.model_copy(update={"steps": (ADD.steps[0].model_copy(update={"function": "torch.Tensor.add"}),)}),
        ADD.model_copy(update={"module": ModuleSpec(build=Step(function="torch.nn.ReLU"))}),
    ],
)
def test_methods_modules_and_what_is_told_already_take_no_output(call: Call) -> None:
    assert takes_output(ADD)
    assert not takes_output(call)


def test_one_number_may_stand_in_several_places() -> None:
    path, beta = (0, "kwargs", "alpha"), (0, "kwargs", "beta")
    step = Step(
        function="torch.addmm", args=tuple({"tensor": at} for at in range(3)), kwargs={"alpha": 3.0, "beta": 5.0}
    )
    call = Call(steps=(step,), tensors=(TensorSpec(shape=("a", "a")),) * 3)
    shared = as_known_argument(as_argument(call, path, "float"), beta, 0)
    given = inputs(TorchApiCase(entry="op_db:addmm", call=shared, sizes={"a": 4}, numbers=(2.0,)), "cpu")
    (found,) = OPERATOR.reference(*given.args, **given.options)
    first, left, right, number = given.args
    assert number == 2.0
    assert torch.equal(found, torch.addmm(first, left, right, alpha=2.0, beta=2.0))
