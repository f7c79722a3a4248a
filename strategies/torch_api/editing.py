"""Editing a call: other values in place of steps, tensors and numbers, and what nothing needs any more left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eagerdiff.strategies.programs.drawing import plain_size
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.torch_api.call import FREE, Argument, Call, Path, TensorSpec, is_a


@dataclass(frozen=True)
class Edited:
    """Hold a call, and which tensors and which free numbers of the one before it kept, in order."""

    call: Call
    tensors: tuple[int, ...]
    numbers: tuple[int, ...]


def pruned(call: Call) -> Edited:
    """Leave out the steps whose results nothing takes, and the tensors and numbers that no step takes."""
    steps = _needed(call)
    kept = {word: _taken(call, steps, word) for word in ("tensor", "number")}
    if call.module is not None:
        kept["tensor"] = sorted({*kept["tensor"], *call.module.parameters.values()})
    places = {"result": steps, **kept}
    changes: dict[Path, Argument] = {}
    for path, value in call.arguments():
        word = next(iter(value)) if isinstance(value, dict) else ""
        if word in places and path[0] in steps:
            changes[path] = {word: places[word].index(value[word])}
    others: dict[str, object] = {
        "tensors": tuple(call.tensors[at] for at in kept["tensor"]),
        "numbers": tuple(call.numbers[at] for at in kept["number"]),
    }
    if call.module is not None:
        parameters = {name: kept["tensor"].index(at) for name, at in call.module.parameters.items()}
        others["module"] = call.module.model_copy(update={"parameters": parameters})
    moved = call.replaced(changes, **others)
    free = [at for at, number in enumerate(call.numbers) if number in FREE]
    return Edited(
        moved.model_copy(update={"steps": tuple(moved.steps[at] for at in steps)}),
        tuple(kept["tensor"]),
        tuple(order for order, at in enumerate(free) if at in kept["number"]),
    )


def _needed(call: Call) -> list[int]:
    """Return the steps that the last one takes something of, itself included."""
    needed = {len(call.steps) - 1}
    for at in reversed(range(len(call.steps))):
        if at in needed:
            needed |= {value["result"] for path, value in call.arguments() if path[0] == at and is_a(value, "result")}
    return sorted(needed)


def _taken(call: Call, steps: Sequence[int], word: str) -> list[int]:
    return sorted({value[word] for path, value in call.arguments() if int(path[0]) in steps and is_a(value, word)})


def with_results(call: Call, step: int, argument: Argument) -> Call:
    """Let an argument stand wherever a step's result does."""
    places = [path for path, value in call.arguments() if is_a(value, "result") and value["result"] == step]
    return call.replaced(dict.fromkeys(places, argument))


def with_tensor(call: Call, at: int, spec: TensorSpec) -> Call:
    """Let another tensor stand in the place of one."""
    return call.model_copy(update={"tensors": (*call.tensors[:at], spec, *call.tensors[at + 1 :])})


def with_symbol(call: Call, symbol: str, other: int | str) -> Call:
    """Let a number, or another symbol, stand for a symbol in every size."""

    def renamed(size: int | str) -> int | str:
        return plain_size(Size.of(size).substituted(symbol, other))

    tensors = [
        spec.model_copy(
            update={
                "shape": tuple(map(renamed, spec.shape)),
                "below": None if spec.below is None else renamed(spec.below),
            }
        )
        for spec in call.tensors
    ]
    changes = {path: _size(renamed(value["size"])) for path, value in call.arguments() if is_a(value, "size")}
    numbers = tuple(number if number in FREE else str(renamed(number)) for number in call.numbers)
    return call.replaced(changes, tensors=tuple(tensors), numbers=numbers)


def _size(size: int | str) -> Argument:
    return size if isinstance(size, int) else {"size": size}


def with_steps(call: Call, change: Callable[[int], Mapping[str, object]]) -> Call:
    """Let each step have other fields, by its number."""
    steps = [step.model_copy(update=dict(change(at))) for at, step in enumerate(call.steps)]
    return call.model_copy(update={"steps": tuple(steps)})
