"""Simpler workloads of `torch_api`: fewer steps, plainer forms and arguments, then smaller sizes and plainer data."""

from collections.abc import Iterator
from typing import Any

from eagerdiff import Workload
from eagerdiff.strategies.programs.simpler_calls import simpler_calls
from eagerdiff.strategies.programs.size import Size, Unknown
from eagerdiff.strategies.torch_api.call import FREE, Argument, Call, is_a
from eagerdiff.strategies.torch_api.cases import TorchApiCase, check_inputs
from eagerdiff.strategies.torch_api.editing import Edited, pruned, with_results, with_steps, with_symbol, with_tensor
from eagerdiff.strategies.torch_api.forms import alone
from eagerdiff.strategies.torch_api.names import UnknownFunction, function
from eagerdiff.strategies.torch_api.rendering import writable


def simpler(workload: Workload[TorchApiCase]) -> Iterator[Workload[TorchApiCase]]:
    """Return simpler workloads, the boldest first; sizes are in their domain."""
    cases = list(workload.cases)
    for changed in (*_plainer_cases(cases), *simpler_calls(cases, cases[0].domain.floors)):
        found = Workload(tuple(changed))
        if found != workload and all(map(_in_domain, changed)):
            yield found


def _in_domain(case: TorchApiCase) -> bool:
    if not writable(case.call):
        return False
    formulas = [size for spec in case.call.tensors for size in spec.sizes]
    formulas += [Size.of(spec.below) for spec in case.call.tensors if spec.below is not None]
    formulas += [Size.of(number) for number in case.call.numbers if number not in FREE]
    try:
        return all(formula.value(case.sizes) >= 0 for formula in formulas) and check_inputs(case) is None
    except Unknown:
        return False


def _plainer_cases(cases: list[TorchApiCase]) -> Iterator[list[TorchApiCase]]:
    first = cases[0]
    if first.gradients:
        yield [case.model_copy(update={"gradients": False}) for case in cases]
    for call in _plainer(first):
        edited = pruned(call)
        if edited.call != first.call:
            yield [_moved(case, edited) for case in cases]
    if first.dtype in ("float64", "float16", "bfloat16"):
        yield [case.model_copy(update={"dtype": "float32"}) for case in cases]


def _moved(case: TorchApiCase, edited: Edited) -> TorchApiCase:
    """Take a case over to an edited call: what its tensors and numbers had goes with them."""
    numbers = (*case.numbers, *(1.0 for _ in case.call.numbers))
    symbols = {symbol for spec in edited.call.tensors for size in spec.sizes for symbol in size.symbols}
    domain = case.domain.model_copy(
        update={
            name: {symbol: size for symbol, size in sizes.items() if symbol in symbols}
            for name, sizes in (("example", case.domain.example), ("floors", case.domain.floors))
        }
    )
    return case.model_copy(
        update={
            "call": edited.call,
            "domain": domain,
            "sizes": {symbol: size for symbol, size in case.sizes.items() if symbol in symbols},
            "layouts": tuple(case.layout(at) for at in edited.tensors),
            "fills": tuple(case.fill(at) for at in edited.tensors),
            "numbers": tuple(numbers[at] for at in edited.numbers),
        }
    )


def _plainer(case: TorchApiCase) -> Iterator[Call]:
    call = case.call
    if call.within:
        yield alone(call)
    if len(call.steps) > 1 and call.module is None:
        yield call.model_copy(update={"steps": call.steps[:-1]})
    yield from _without_forms(case)
    yield from _with_fewer_arguments(call)
    yield from _as_functions(call)
    symbols = sorted(case.domain.floors)
    for symbol in symbols:
        for other in (*(known for known in symbols if known < symbol), 2, 3):
            yield with_symbol(call, symbol, other)


def _without_forms(case: TorchApiCase) -> Iterator[Call]:
    """Return calls without an item, a mask's choice or an argument that is a number."""
    call = case.call
    for at, step in enumerate(call.steps[:-1]):
        specs = [call.tensors[one["tensor"]] for one in step.args if is_a(one, "tensor")]
        if step.function == "torch.Tensor.item" and specs and specs[0].values == "number":
            below = specs[0].below or 0
            yield with_results(call, at, below if isinstance(below, int) else {"size": below})
        elif step.function == "torch.Tensor.item" and specs and len(specs[0].literal) == 1:
            yield with_results(call, at, specs[0].literal[0])
        elif step.function == "torch.Tensor.__getitem__" and specs[1:] and specs[1].values == "chosen":
            tensor = step.args[0]["tensor"]
            rows = specs[0].model_copy(update={"shape": (specs[1].below or 0, *specs[0].shape[1:])})
            yield with_tensor(with_results(call, at, {"tensor": tensor}), tensor, rows)
    free = iter((*case.numbers, *(1.0 for _ in call.numbers)))
    for at, number in enumerate(call.numbers):
        constant: Argument = {"size": number}
        if number in FREE:
            constant = int(next(free)) if number == "int" else float(next(free))
        places = [path for path, value in call.arguments() if is_a(value, "number") and value["number"] == at]
        yield call.replaced(dict.fromkeys(places, constant))


def _with_fewer_arguments(call: Call) -> Iterator[Call]:
    for at, step in enumerate(call.steps):
        for name in step.kwargs:
            kwargs = {other: value for other, value in step.kwargs.items() if other != name}
            yield with_steps(call, _only(at, kwargs=kwargs))
        # A method of Python's own operators does not refuse what it lacks: it returns NotImplemented.
        if len(step.args) > 1 and not step.function.endswith("__"):
            yield with_steps(call, _only(at, args=step.args[:-1]))


def _as_functions(call: Call) -> Iterator[Call]:
    """Return calls of a function in place of a method, and out of place."""
    for at, step in enumerate(call.steps):
        namespace, _, name = step.function.rpartition(".")
        if namespace == "torch.Tensor":
            for plain in (f"torch.{name.rstrip('_')}", f"torch.Tensor.{name.rstrip('_')}"):
                if plain != step.function and _exists(plain):
                    yield with_steps(call, _only(at, function=plain))


def _exists(name: str) -> bool:
    try:
        function(name)
    except UnknownFunction:
        return False
    return True


def _only(step: int, **fields: Any) -> Any:
    return lambda at: fields if at == step else {}
