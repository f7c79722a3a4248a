"""Tensors where they are unusual: outputs that are given (`out=`), numbers that are tensors, or are read of one."""

from eagerdiff.strategies.torch_api.call import Argument, Call, Path, Step, TensorSpec
from eagerdiff.strategies.torch_api.forms import before

KINDS = ("alike", "empty", "argument")
"""What is given: a tensor like the result; one without elements, which the call resizes; the first argument itself."""


def takes_output(call: Call) -> bool:
    """Whether a call is one function of torch that may be told where to write; methods and modules are not."""
    (first, *others) = call.steps
    plain = not others and call.module is None and not first.function.startswith("torch.Tensor.")
    return plain and "out" not in first.kwargs


def written(call: Call, kind: str) -> Call:
    """Call the function once more, and have it write into what is given; `kind` is one of KINDS.

    What is alike, or empty, is made of the first call's result; the first argument is written over in place of that.
    """
    (first,) = call.steps
    if kind == "argument":
        return call.model_copy(update={"steps": (_into(first, first.args[0]),)})
    result: Argument = {"result": 0}
    made = {
        "alike": Step(function="torch.zeros_like", args=(result,)),
        "empty": Step(function="torch.Tensor.new_empty", args=(result, {"list": [0]})),
    }[kind]
    return call.model_copy(update={"steps": (first, made, _into(first, {"result": 1}))})


def _into(step: Step, output: Argument) -> Step:
    return step.model_copy(update={"kwargs": {**step.kwargs, "out": output}})


def as_tensor(call: Call, path: Path, value: float) -> Call:
    """Give a number as a tensor of no dims, an argument of its own; eager takes one for most numbers."""
    dtype = "int64" if isinstance(value, int) else "float32"
    spec = TensorSpec(dtype=dtype, values="literal", literal=(value,))
    return call.replaced({path: {"tensor": len(call.tensors)}}, tensors=(*call.tensors, spec))


def as_read(call: Call, path: Path, value: float) -> Call:
    """Read a float from a tensor of no dims: what depends on data."""
    spec = TensorSpec(dtype="float64", values="literal", literal=(value,))
    moved = before(call, [Step(function="torch.Tensor.item", args=({"tensor": len(call.tensors)},))], {})
    place = (int(path[0]) + 1, *path[1:])
    return moved.replaced({place: {"result": 0}}, tensors=(*call.tensors, spec))
