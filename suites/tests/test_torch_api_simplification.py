"""A call that fails is made smaller: its forms, arguments, steps, dtypes and sizes go where the failure stays."""

from collections.abc import Callable

import pytest

from eagerdiff import Workload
from eagerdiff.reference.programs import function_of
from eagerdiff.strategies.torch_api import forms
from eagerdiff.strategies.torch_api.call import Call, Step, TensorSpec
from eagerdiff.strategies.torch_api.cases import Domain, TorchApiCase, inputs, source
from eagerdiff.strategies.torch_api.rendering import writable
from eagerdiff.strategies.torch_api.simplification import simpler

NARROWED = Call(
    steps=(Step(function="torch.narrow", args=({"tensor": 0}, 0, 1, {"size": "b"})),),
    tensors=(TensorSpec(shape=("a", "c")), TensorSpec(shape=("b",))),
)
SIZES = {"a": 19, "b": 7, "c": 5}


def smallest(call: Call, fails: Callable[[TorchApiCase], bool], **fields: object) -> TorchApiCase:
    """Take the first simpler call that fails, again and again, as the search does."""
    case = TorchApiCase(
        entry="op_db:narrow",
        call=call,
        sizes=SIZES,
        domain=Domain(example=SIZES, floors=dict.fromkeys(SIZES, 1)),
        layouts=("transposed",) * len(call.tensors),
        fills=("special",) * len(call.tensors),
        seed=7,
    ).model_copy(update=fields)
    workload = Workload((case, case.model_copy(update={"sizes": {**SIZES, "c": 9}})))
    for _ in range(200):
        found = next((other for other in simpler(workload) if all(map(fails, other.cases))), None)
        if found is None:
            return workload.cases[0]
        workload = found
    raise AssertionError("it never ends")


def runs(case: TorchApiCase) -> bool:
    try:
        function_of(source(case.call))(*inputs(case, "cpu").args)
    except (RuntimeError, IndexError, TypeError):
        return False
    return True


def mentions(*texts: str) -> Callable[[TorchApiCase], bool]:
    return lambda case: runs(case) and all(text in source(case.call) for text in texts)


def formed() -> Call:
    """Return a call in every form at once."""
    (path, formula), ((number, _), *_) = forms.sizes(NARROWED)[0], reversed(forms.numbers(NARROWED))
    call = forms.as_argument(forms.as_argument(NARROWED, number, "int"), path, formula)
    return forms.consumed(forms.chosen(call, 0), "torch.add", 1)


def test_what_the_failure_needs_stays_and_all_else_goes() -> None:
    found = smallest(formed(), mentions("torch.narrow("), numbers=(1.0,), dtype="bfloat16", gradients=True)
    assert source(found.call).splitlines()[-2:] == ["    v0 = torch.narrow(x0, 0, 1, 2)", "    return parts(v0)"]
    assert [spec.shape for spec in found.call.tensors] == [(3, 2)]
    assert (found.dtype, found.gradients, found.numbers, found.sizes) == ("float32", False, (), {})
    assert (found.layouts, found.fills, found.seed) == (("contiguous",), ("normal",), 0)


@pytest.mark.parametrize(
    ("kept", "shape"),
    [("x0[x", (1,)), ("n0", ()), ("n1", ()), ("torch.add(", ())],
    ids=["a mask's choice", "a number", "a size as a number", "what takes the result"],
)
def test_a_form_that_the_failure_needs_stays(kept: str, shape: tuple[int, ...]) -> None:
    found = smallest(formed(), mentions(kept), numbers=(1.0,))
    assert kept in source(found.call)


def test_a_size_stays_where_the_failure_needs_it() -> None:
    found = smallest(NARROWED, lambda case: runs(case) and case.sizes.get("a", 0) >= 4)
    assert found.sizes["a"] == 4
    assert set(found.sizes) <= {"a", "b"}


def test_an_item_of_a_tensor_is_written_as_the_number_that_it_is() -> None:
    (path, formula) = forms.sizes(NARROWED)[0]
    call = forms.as_item(NARROWED, path, formula)
    assert "item" in source(call)
    assert "item" not in source(smallest(call, mentions("torch.narrow(")).call)


def test_a_method_in_place_becomes_a_function() -> None:
    call = Call(
        steps=(Step(function="torch.Tensor.relu_", args=({"tensor": 0},)),), tensors=(TensorSpec(shape=("a",)),)
    )
    assert smallest(call, mentions("relu")).call.steps[0].function == "torch.relu"


def test_no_simpler_call_lacks_what_it_stands_within_or_a_size_that_it_names() -> None:
    """Each is source that Python reads, though the tensor that is differentiated may go, or the one that has a size."""
    call = forms.within(
        Call(
            steps=(
                Step(
                    function="torch.gather",
                    args=({"tensor": 0}, 0, {"tensor": 1}),
                    kwargs={"sparse_grad": False},
                ),
                Step(function="torch.reshape", args=({"result": 0}, {"tuple": [{"size": "a"}, {"size": "b"}]})),
                Step(function="torch.add", args=({"tensor": 1}, {"size": "c"})),
            ),
            tensors=(TensorSpec(shape=("a", "b")), TensorSpec(dtype="int64", shape=("a", "b+2*c"), values="below")),
        ),
        "grad",
    )
    assert not writable(call)  # no tensor tells what c is
    formed = forms.within(call.model_copy(update={"steps": call.steps[:2]}), "jvp")
    case = TorchApiCase(
        entry="op_db:gather", call=formed, sizes=SIZES, domain=Domain(example=SIZES, floors=dict.fromkeys(SIZES, 1))
    )
    seen = 0
    for other in simpler(Workload((case,))):
        function_of(source(other.cases[0].call))
        seen += 1
    assert seen > 10


def test_an_operator_of_pythons_keeps_what_it_is_called_with() -> None:
    call = Call(
        steps=(Step(function="torch.Tensor.__rmatmul__", args=({"tensor": 0}, {"tensor": 1})),),
        tensors=(TensorSpec(shape=("a", "a")), TensorSpec(shape=("a", "a"))),
    )
    left = smallest(call, runs, sizes={"a": 4}, domain=Domain(example={"a": 4}, floors={"a": 1}))
    assert len(left.call.steps[0].args) == 2
