"""Forms that an argument may come in: a number as an argument, an item or a size, rows that a mask chooses."""

from collections.abc import Mapping, Sequence

from eagerdiff.strategies.torch_api.call import Argument, Call, Path, Step, TensorSpec, is_a
from eagerdiff.strategies.torch_api.surroundings import BATCH, SURROUNDINGS

FREE_KINDS = ("normal", "positive", "unit", "below", "between", "mask")
"""Kinds of values that a tensor may have more rows of."""
SPARE = 3
"""Rows that a mask leaves out."""


def numbers(call: Call) -> list[tuple[Path, int | float]]:
    """Return the plain numbers among the arguments, with where they stand; booleans are none."""
    found = [
        (path, value)
        for path, value in call.arguments()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    return [(path, value) for path, value in found if call.steps[int(path[0])].function != "torch.Tensor.__getitem__"]


def sizes(call: Call) -> list[tuple[Path, str]]:
    """Return the arguments that follow sizes, as formulas, with where they stand."""
    return [(path, str(value["size"])) for path, value in call.arguments() if is_a(value, "size")]


def as_argument(call: Call, path: Path, kind: str) -> Call:
    """Make an argument of the program of a number; `kind` is `int`, `float` or the formula of a size."""
    return call.replaced({path: {"number": len(call.numbers)}}, numbers=(*call.numbers, kind))


def as_known_argument(call: Call, path: Path, number: int) -> Call:
    """Give a number that is an argument of the program already in one more place."""
    return call.replaced({path: {"number": number}})


def as_item(call: Call, path: Path, value: int | str) -> Call:
    """Read an integer, or the formula of a size, from a tensor of no dims: what depends on data."""
    spec = TensorSpec(dtype="int64", values="number", below=value)
    reading = Step(function="torch.Tensor.item", args=({"tensor": len(call.tensors)},))
    moved = before(call, [reading], {})
    return moved.replaced({(int(path[0]) + 1, *path[1:]): {"result": 0}}, tensors=(*call.tensors, spec))


def chosen(call: Call, tensor: int) -> Call:
    """Let a mask choose the first dim's rows of a tensor: their number depends on data."""
    spec = call.tensors[tensor]
    rows = str(spec.shape[0])
    larger = spec.model_copy(update={"shape": (f"{rows}+{SPARE}", *spec.shape[1:])})
    mask = TensorSpec(dtype="bool", shape=(f"{rows}+{SPARE}",), values="chosen", below=spec.shape[0])
    choosing = Step(function="torch.Tensor.__getitem__", args=({"tensor": tensor}, {"tensor": len(call.tensors)}))
    tensors = [*call.tensors, mask]
    tensors[tensor] = larger
    return before(call, [choosing], {tensor: {"result": 0}}).model_copy(update={"tensors": tuple(tensors)})


def consumed(call: Call, function: str, *args: Argument) -> Call:
    """Hand the result, one tensor, to one more function."""
    last = Step(function=function, args=({"result": len(call.steps) - 1}, *args))
    return call.model_copy(update={"steps": (*call.steps, last)})


def within(call: Call, name: str) -> Call:
    """Let the call stand within a surrounding; one that maps gives tensors a first dim of their own."""
    if not SURROUNDINGS[name].mapped:
        return call.model_copy(update={"within": name})
    tensors = [
        spec.model_copy(update={"shape": (BATCH, *spec.shape)}) if spec.values in FREE_KINDS else spec
        for spec in call.tensors
    ]
    return call.model_copy(update={"within": name, "tensors": tuple(tensors)})


def alone(call: Call) -> Call:
    """Return the call without what it stands within."""
    tensors = [
        spec.model_copy(update={"shape": spec.shape[1:]}) if at in call.mapped else spec
        for at, spec in enumerate(call.tensors)
    ]
    return call.model_copy(update={"within": "", "tensors": tuple(tensors)})


def before(call: Call, steps: Sequence[Step], tensors: Mapping[int, Argument]) -> Call:
    """Put steps before those of a call, in which others then stand for some tensors."""
    changes: dict[Path, Argument] = {}
    for path, value in call.arguments():
        if is_a(value, "result"):
            changes[path] = {"result": value["result"] + len(steps)}
        elif is_a(value, "tensor") and value["tensor"] in tensors:
            changes[path] = tensors[value["tensor"]]
    moved = call.replaced(changes)
    return moved.model_copy(update={"steps": (*steps, *moved.steps)})
