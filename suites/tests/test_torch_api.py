"""Calls from torch's own tables: names, recording, sizes that eager is asked about, forms, what is drawn of them."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from pydantic import ValidationError

from eagerdiff.reference.programs import function_of
from eagerdiff.strategies.torch_api import drawing, forms
from eagerdiff.strategies.torch_api.call import Call, ModuleSpec, Step, TensorSpec
from eagerdiff.strategies.torch_api.cases import TorchApiCase, inputs, source
from eagerdiff.strategies.torch_api.drawn import Drawn
from eagerdiff.strategies.torch_api.names import UnknownFunction, function
from eagerdiff.strategies.torch_api.probing import Probe, find_values, groups, symbolic
from eagerdiff.strategies.torch_api.recording import Inexpressible, record, record_module
from eagerdiff.strategies.torch_api.rendering import render
from eagerdiff.strategies.torch_api.running import run
from eagerdiff.strategies.torch_api.surroundings import SURROUNDINGS
from eagerdiff.strategies.torch_api.table import Entry, Template

HOSTILE = (
    "torch.load",
    "torch.save",
    "torch.from_file",
    "torch.hub.load",
    "torch.os.system",
    "torch.Tensor.__class__",
    "torch.nn.functional.importlib",
    "torch.nn.functional.__builtins__",
    "torch.ops.load_library",
    "torch.ops.aten.__class__",
    "torch.nn.Module.__init__",
    "os.system",
    "",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_is_no_computation_on_tensors_is_unknown(name: str) -> None:
    with pytest.raises(UnknownFunction, match="no function of torch"):
        function(name)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("torch.add", torch.add),
        ("torch.stft", torch.stft),
        ("torch.Tensor.expand", torch.Tensor.expand),
        ("torch.nn.functional.pad", torch.nn.functional.pad),
        ("torch.linalg.svd", torch.linalg.svd),
        ("torch.special.erf", torch.special.erf),
        ("torch.ops.aten.add.Tensor", torch.ops.aten.add.Tensor),
        ("torch.nn.LSTM", torch.nn.LSTM),
    ],
)
def test_a_name_of_torch_stands_for_its_function(name: str, wanted: object) -> None:
    assert function(name) is wanted


def test_names_are_known_also_where_what_allocates_is_wrapped() -> None:
    code = """
from eagerdiff import parse_device
from eagerdiff.strategies.torch_api.names import function
parse_device("cpu").activate()
names = ("torch.empty", "torch.Tensor.new_empty", "torch.empty_like", "torch.Tensor.new_empty_strided", "torch.add")
print(all(callable(function(name)) for name in names))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(
    "argument",
    [
        {"torch": "load"},
        {"torch": "float32); import os; ("},
        {"tensor": "0"},
        {"number": -1},
        {"size": "__import__('os')"},
        {"list": "text"},
        {"code": "x"},
        "é",
        "a\nb",
        "x" * 81,
        [1],
        {"float": "1); evil("},
        {"tensor": 0, "size": 1},
        {"module": "torch.nn.ReLU"},
        {"module": {"function": "os.system", "args": ["true"]}},
        {"module": {"function": "torch.add"}},
        {"module": {"function": "torch.nn.ReLU", "args": [{"code": "x"}]}},
    ],
)
def test_what_is_no_argument_is_refused_before_it_becomes_source(argument: Any) -> None:
    with pytest.raises(ValidationError):
        Step(function="torch.add", args=(argument,))


def test_arguments_nested_without_end_are_refused() -> None:
    nested: Any = 1
    for _ in range(100):
        nested = {"list": [nested]}
    with pytest.raises(ValidationError, match="deep"):
        Step(function="torch.add", args=(nested,))


def test_a_call_is_written_as_a_user_would_write_it() -> None:
    call = Call(
        steps=(
            Step(function="torch.Tensor.mT.__get__", args=({"tensor": 0},)),
            Step(
                function="torch.Tensor.expand",
                args=({"result": 0}, {"tuple": [{"size": "3*a"}, {"size": "b"}, {"size": "a"}]}),
                kwargs={"implicit": False},
            ),
            Step(function="torch.add", args=({"result": 1}, {"float": "inf"}), kwargs={"alpha": {"number": 0}}),
        ),
        tensors=(TensorSpec(shape=("3*a", "a", "b")),),
        numbers=("float",),
    )
    text = render(call)
    assert "v0 = x0.mT" in text
    assert "v0.expand((x0.shape[0], x0.shape[2], x0.shape[1]), implicit=False)" in text
    (result,) = function_of(text)(torch.zeros(6, 2, 4), 2.0)
    assert result.shape == (6, 4, 2)
    assert result.isinf().all()


@pytest.mark.parametrize(
    ("method", "written"), [("__rmatmul__", "(-1.0) @ x0"), ("__sub__", "x0 - (-1.0)"), ("__ror__", "(-1.0) | x0")]
)
def test_methods_of_pythons_operators_are_written_as_operators(method: str, written: str) -> None:
    """The methods refuse nothing: they return NotImplemented, which no compiled function gives back."""
    steps = (Step(function=f"torch.Tensor.{method}", args=({"tensor": 0}, -1.0)),)
    assert f"v0 = {written}" in render(Call(steps=steps, tensors=(TensorSpec(shape=("a",)),)))


def test_what_is_not_implemented_is_refused() -> None:
    steps = (Step(function="torch.Tensor.__rmatmul__", args=({"tensor": 0}, -1.0)),)
    with pytest.raises(TypeError):
        run(steps, [torch.zeros(3)])


def test_a_size_that_no_dim_has_is_computed_from_those_that_do() -> None:
    reshaped = Step(function="torch.reshape", args=({"tensor": 0}, {"tuple": [{"size": "a"}, {"size": "2*b+0"}, 3]}))
    call = Call(steps=(reshaped,), tensors=(TensorSpec(shape=("3*a", "2*b")),))
    (result,) = function_of(render(call))(torch.zeros(6, 4))
    assert result.shape == (2, 4, 3)


def test_an_overload_whose_name_is_a_keyword_is_written_all_the_same() -> None:
    name = "torch.ops.aten.random.from"
    text = render(
        Call(steps=(Step(function=name, args=({"tensor": 0}, 1, None)),), tensors=(TensorSpec(shape=("a",)),))
    )
    (result,) = function_of(text)(torch.zeros(3))
    assert result.shape == (3,)


def test_a_function_with_a_name_is_recorded_by_it_and_another_by_what_it_calls() -> None:
    x = torch.ones(2, 3)
    assert [step.function for step in record("add", torch.add, (x, x), {}).steps] == ["torch.add"]

    def unnamed(one: torch.Tensor) -> torch.Tensor:
        _ = one.device, one.abs()
        return torch.clamp(one.mT, 0, 2).contiguous()

    recorded = record("unnamed", unnamed, (x,), {})
    assert [step.function for step in recorded.steps] == [
        "torch.Tensor.mT.__get__",
        "torch.clamp",
        "torch.Tensor.contiguous",
    ]
    assert recorded.tensors == [x]


def test_what_is_no_data_is_inexpressible() -> None:
    with pytest.raises(Inexpressible, match="type object"):
        record("add", torch.add, (torch.ones(2), object()), {})
    with pytest.raises(Inexpressible, match="not strided"):
        record("add", torch.add, (torch.ones(2).to_sparse(), 1), {})
    hidden = torch.ones(1)
    with pytest.raises(Inexpressible, match="that no call gave"):
        record("hidden", lambda one: torch.add(one, hidden), (torch.ones(1),), {})


def symbolised(operation: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Call, dict[str, int]]:
    probe = Probe(record(operation.__name__, operation, args, kwargs))
    find_values(probe)
    return symbolic(probe, groups(probe), torch.float32)


def shapes(call: Call) -> list[tuple[int | str, ...]]:
    return [tensor.shape for tensor in call.tensors]


def test_sizes_that_eager_lets_change_alone_are_symbols_of_their_own() -> None:
    call, sizes = symbolised(torch.matmul, torch.randn(4, 4), torch.randn(4, 4))
    assert shapes(call) == [("a", "b"), ("b", "c")]
    assert sizes == {"a": 4, "b": 4, "c": 4}


def test_sizes_that_only_change_in_multiples_are_multiples() -> None:
    call, sizes = symbolised(torch.nn.functional.pixel_shuffle, torch.randn(1, 8, 5, 5), 2)
    assert shapes(call) == [(1, "4*c", "a", "b")]
    assert sizes["c"] == 2


def test_an_integer_that_must_follow_a_size_does() -> None:
    call, _ = symbolised(torch.reshape, torch.randn(5, 7), (7, 5))
    assert dict(call.steps[0].model_dump())["args"][1] == {"tuple": [{"size": "b"}, {"size": "a"}]}
    assert shapes(call) == [("a", "b")]


def test_indices_are_below_the_size_that_eager_checks_them_against() -> None:
    call, _ = symbolised(torch.gather, torch.randn(9, 4), 0, torch.randint(0, 9, (3, 4)))
    assert call.tensors[1].values == "below"
    assert call.tensors[1].below == call.tensors[0].shape[0]


def test_values_are_as_free_as_eager_lets_them_be() -> None:
    positive = torch.eye(3) * 2
    call, _ = symbolised(torch.linalg.cholesky, positive)
    assert call.tensors[0].values == "definite"
    assert symbolised(torch.log, torch.tensor([1.0, 2.0]))[0].tensors[0].values == "positive"
    assert symbolised(torch.abs, torch.tensor([1.0, 2.0]))[0].tensors[0].values == "normal"


def test_a_module_is_called_with_its_parameters_as_arguments() -> None:
    class Given:
        def __init__(self, *args: Any) -> None:
            self.args, self.kwargs = args, dict[str, Any]()

    recorded = record_module(torch.nn.Linear, Given(4, 2), Given(torch.randn(3, 4)), torch.float32, training=True)
    probe = Probe(recorded)
    find_values(probe)
    call, _ = symbolic(probe, groups(probe), torch.float32)
    assert shapes(call) == [("a", 4), (2, 4), (2,)]
    x, weight, bias = torch.randn(5, 4), torch.randn(2, 4), torch.randn(2)
    (result,) = function_of(render(call))(x, weight, bias)
    assert torch.equal(result, torch.nn.functional.linear(x, weight, bias))


def test_the_name_of_a_parameter_is_no_code() -> None:
    build = Step(function="torch.nn.Linear", args=(4, 2))
    with pytest.raises(ValidationError, match="not a parameter"):
        ModuleSpec(build=build, parameters={"weight': evil(), '": 0})


NARROWED = Call(
    steps=(Step(function="torch.narrow", args=({"tensor": 0}, 0, 1, {"size": "b"})),),
    tensors=(TensorSpec(shape=("a", 3)), TensorSpec(shape=("b",))),
)


def gives(call: Call, sizes: dict[str, int], numbers: tuple[float, ...] = ()) -> torch.Tensor:
    case = TorchApiCase(entry="op_db:narrow", call=call, sizes=sizes, numbers=numbers)
    given_inputs = inputs(case, "cpu")
    (result,) = function_of(source(call))(*given_inputs.args)
    return result


def test_every_form_of_an_argument_gives_what_the_plain_one_gives() -> None:
    sizes = {"a": 6, "b": 4}
    wanted = gives(NARROWED, sizes).shape
    (path, formula), ((number, value), *_) = forms.sizes(NARROWED)[0], reversed(forms.numbers(NARROWED))
    assert (formula, value) == ("b", 1)
    assert gives(forms.as_argument(NARROWED, path, formula), sizes).shape == wanted
    assert gives(forms.as_item(NARROWED, path, formula), sizes).shape == wanted
    assert gives(forms.as_argument(NARROWED, number, "int"), sizes, (1.0,)).shape == wanted
    assert gives(forms.as_item(NARROWED, number, 1), sizes).shape == wanted
    assert gives(forms.chosen(NARROWED, 0), sizes).shape == wanted
    assert gives(forms.consumed(NARROWED, "torch.sum"), sizes).shape == ()


@pytest.mark.parametrize("shape", ["b+3", "2*b+1", "3*b", "b"])
def test_a_size_that_no_dim_has_alone_is_solved_for(shape: str) -> None:
    """A mask chooses `b` of `b+3` rows: where the argument is, no tensor has `b` rows."""
    step = Step(function="torch.narrow", args=({"tensor": 0}, 0, 0, {"size": "b"}))
    assert gives(Call(steps=(step,), tensors=(TensorSpec(shape=(shape, 3)),)), {"b": 4}).shape == (4, 3)


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_a_call_within_something_gives_what_it_gives_alone(name: str) -> None:
    call = Call(
        steps=(Step(function="torch.mul", args=({"tensor": 0}, {"number": 0})),),
        tensors=(TensorSpec(shape=("a", "b")),),
        numbers=("float",),
    )
    inside = forms.within(call, name)
    x = torch.randn(3, 2, 4) if inside.mapped else torch.randn(2, 4).abs()
    wanted = {"jvp": (x * 3.0, torch.full((2, 4), 3.0)), "grad": (torch.full((2, 4), 3.0),)}.get(name, (x * 3.0,))
    found = function_of(render(inside))(x, 3.0)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one.float(), other, atol=1e-2, rtol=1e-2)
    assert forms.alone(inside) == call


def test_sizes_inside_vmap_are_those_that_the_function_sees() -> None:
    call = Call(
        steps=(Step(function="torch.narrow", args=({"tensor": 0}, 0, 0, {"size": "b"})),),
        tensors=(TensorSpec(shape=("a",)), TensorSpec(shape=("b",))),
    )
    (result,) = function_of(render(forms.within(call, "vmap")))(torch.zeros(5, 4), torch.zeros(5, 2))
    assert result.shape == (5, 2)


def test_an_unknown_surrounding_is_refused() -> None:
    with pytest.raises(ValidationError, match="unknown surrounding"):
        Call(steps=(Step(function="torch.relu", args=({"tensor": 0},)),), within="exec")


def test_an_entry_of_which_the_table_names_no_dtype_has_its_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch 2.11 says of `linalg_ldl_solve` that no dtype can be tested: drawing one of none ended the search."""
    call = Call(steps=(Step(function="torch.neg", args=({"tensor": 0},)),), tensors=(TensorSpec(shape=("a",)),))
    template = Template(call=call, sizes={"a": 2}, example={"a": 2}, floors={"a": 0}, dtype="float64")
    entry = Entry(table="op_db", name="neg", templates=(template,))
    monkeypatch.setattr(drawing, "entries", lambda: {"op_db:neg": entry})
    met: set[str] = set()

    @settings(max_examples=60, database=None, deadline=None)
    @given(drawing.drawn(("op_db:neg",)))
    def collect(found: Drawn) -> None:
        met.add(found.dtype)

    collect()
    assert "float64" in met
