"""Drawing optional arguments: values that no sample has, tensors that samples leave out, numbers for tensors."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.torch_api.call import Argument, Call, ModuleSpec, Step, TensorSpec, is_a
from eagerdiff.strategies.torch_api.drawn import Drawn
from eagerdiff.strategies.torch_api.forms import FREE_KINDS, as_argument, before
from eagerdiff.strategies.torch_api.names import is_property
from eagerdiff.strategies.torch_api.options import RANDOM, Parameter, parameters, replaceable, values
from eagerdiff.strategies.torch_api.running import built

NUMBERS = (0.5, 1, 0, -1.0, 2, 3.0)
"""What stands for a tensor."""


@st.composite
def with_options(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Give one or two optional parameters a value; the constructor's, where it is a module that is called."""
    if found.call.module is not None:
        return replace(found, call=draw(_of_module(found.call, found.call.module)), random=found.random)
    steps = [
        at for at, step in enumerate(found.call.steps) if not is_property(step.function) and parameters(step.function)
    ]
    if not steps:
        return found
    at = draw(st.sampled_from(steps))
    call, names = found.call, list[str]()
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        one = draw(st.sampled_from(parameters(call.steps[at].function)))
        names.append(one.name)
        call = draw(_with_tensor(call, at, one) if one.kind == "tensor" else _with_value(call, at, one))
    return replace(found, call=call, random=found.random or any(name in RANDOM for name in names))


@st.composite
def _with_value(draw: st.DrawFn, call: Call, at: int, one: Parameter) -> Call:
    choices = values(call.steps[at].function, one)
    return _given(call, at, one, draw(st.sampled_from((*choices, None)))) if choices else call


@st.composite
def _with_tensor(draw: st.DrawFn, call: Call, at: int, one: Parameter) -> Call:
    """Give a tensor that samples leave out: like one of the others, or as long as one of its dims."""
    specs = [spec for spec in call.tensors if spec.values in FREE_KINDS]
    if not specs or one.name in call.steps[at].kwargs:
        return call
    spec: TensorSpec = draw(st.sampled_from(specs))
    if spec.shape and draw(st.integers(0, 2)):
        spec = spec.model_copy(update={"shape": (draw(st.sampled_from(spec.shape)),)})
    given = _given(call, at, one, {"tensor": len(call.tensors)})
    return given if given is call else given.model_copy(update={"tensors": (*call.tensors, spec)})


def _given(call: Call, at: int, one: Parameter, value: Argument) -> Call:
    """Return the call with a value for a parameter; the call itself where that is given as a tensor or a size."""
    step = call.steps[at]
    if 0 <= one.position < len(step.args):
        if not replaceable(step.args[one.position]):
            return call
        args = (*step.args[: one.position], value, *step.args[one.position + 1 :])
        changed: dict[str, Any] = {"args": args}
    elif not replaceable(step.kwargs.get(one.name)):
        return call
    else:
        changed = {"kwargs": {**step.kwargs, one.name: value}}
    steps = (*call.steps[:at], step.model_copy(update=changed), *call.steps[at + 1 :])
    return call.model_copy(update={"steps": steps})


@st.composite
def _of_module(draw: st.DrawFn, call: Call, module: ModuleSpec) -> Call:
    """Build the module with another option, where it has the same parameters then; now and then in the other mode."""
    build: Step = module.build
    found = [one for one in parameters(build.function) if one.kind not in ("tensor", "dtype")]
    changed = module.model_copy(update={"training": draw(st.booleans())}) if draw(st.integers(0, 3)) == 3 else module
    if found:
        one = draw(st.sampled_from(found))
        value = draw(st.sampled_from((*values(build.function, one), None)))
        kwargs = {name: other for name, other in build.kwargs.items() if name != one.name} | {one.name: value}
        args = build.args[: one.position - 1] if 0 < one.position <= len(build.args) else build.args
        # What stood behind it by position is left to its default.
        other = changed.model_copy(update={"build": build.model_copy(update={"args": args, "kwargs": kwargs})})
        kept = _same_parameters(module, other)
        changed = changed if kept is None else kept
    return call.model_copy(update={"module": changed})


def _same_parameters(module: ModuleSpec, other: ModuleSpec) -> ModuleSpec | None:
    """Return a module with those parameters that it shares with another; None where it has others, or cannot be."""
    try:
        made = {name: one.shape for name, one in (*built(other).named_parameters(), *built(other).named_buffers())}
    except Exception:  # noqa: BLE001 - torch refuses the option
        return None
    known = {name: one.shape for name, one in (*built(module).named_parameters(), *built(module).named_buffers())}
    if any(known.get(name) != shape for name, shape in made.items()):
        return None
    return other.model_copy(update={"parameters": {name: at for name, at in module.parameters.items() if name in made}})


@st.composite
def with_number(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Give a number where a sample has a tensor, the first aside: a constant, an argument, or an item of a tensor."""
    places = [
        (path, value["tensor"])
        for path, value in found.call.arguments()
        if is_a(value, "tensor") and path[1:] != ("args", 0) and len(path) == 3
    ]
    if not places or found.call.module is not None:
        return found
    path, at = draw(st.sampled_from(places))
    spec = found.call.tensors[at]
    number = draw(st.sampled_from(NUMBERS))
    form = draw(st.sampled_from(("constant", "argument", "item")))
    if form == "constant":
        return replace(found, call=found.call.replaced({path: number}))
    if form == "argument":
        kind = "int" if isinstance(number, int) else "float"
        return replace(found, call=as_argument(found.call, path, kind), numbers=(*found.numbers, float(number)))
    whole = isinstance(number, int) or spec.dtype == "int64"
    one = TensorSpec(dtype="int64" if whole else "float32", values="literal", literal=(number,))
    reading = Step(function="torch.Tensor.item", args=({"tensor": len(found.call.tensors)},))
    moved = before(found.call, [reading], {})
    place = (int(path[0]) + 1, *path[1:])
    return replace(found, call=moved.replaced({place: {"result": 0}}, tensors=(*found.call.tensors, one)))
