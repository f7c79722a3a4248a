"""What `torch_api` tells export and marks: an example of each call, its sizes, and what it may be refused for."""

import random
from collections.abc import Mapping, Sequence

from eagerdiff import Excuse, Inputs
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.limits import decomposed_forward, dim_from_data, no_backward
from eagerdiff.reference.programs import programs
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.sized_case import MOST_EXAMPLES
from eagerdiff.strategies.torch_api.call import FREE
from eagerdiff.strategies.torch_api.cases import TorchApiCase, check_inputs, inputs
from eagerdiff.strategies.torch_api.numbered_dims import varying_dim

Sizes = Mapping[str, int]


def dims(case: TorchApiCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's tensors, by position."""
    return {
        at: {dim: str(size) for dim, size in enumerate(spec.sizes) if size.constant is None}
        for at, spec in enumerate(case.call.tensors)
    }


def example(case: TorchApiCase) -> Inputs:
    """Return arguments with the sizes that a case is exported with; Python numbers are the case's."""
    return _at(case, traced(case))


def traced(case: TorchApiCase) -> Sizes:
    """Return the sizes of a case's example: drawn ones that eager takes, else those with which the call was found."""
    fixed = {name: case.sizes[name] for name in counted(case)}
    drawn = _drawn(case.model_copy(update={"sizes": fixed, "fills": (), "seed": 0}))
    return drawn or case.domain.example | fixed


def _drawn(case: TorchApiCase) -> dict[str, int] | None:
    """Return the sizes of one of the examples; None where eager does not take them, and of the first."""
    if case.example == 0:
        return None
    pool = list(range(3)) if case.example == MOST_EXAMPLES else list(range(2, 12))
    random.Random(case.example).shuffle(pool)
    sizes = {name: floor + (pool.pop() if pool else 2) for name, floor in case.domain.floors.items()} | case.sizes
    return sizes if check_inputs(case.model_copy(update={"sizes": sizes})) is None and _runs(case, sizes) else None


def _runs(case: TorchApiCase, sizes: Sizes) -> bool:
    given = _at(case, sizes)
    try:
        programs(*given.args, **given.options)
    except Exception:  # noqa: BLE001 - that is the answer
        return False
    return True


def _at(case: TorchApiCase, sizes: Sizes) -> Inputs:
    return inputs(case.model_copy(update={"sizes": dict(sizes), "fills": ()}), "cpu")


def least(case: TorchApiCase) -> Sizes:
    """Return the smallest sizes that eager takes, by name."""
    return case.domain.floors


def counted(case: TorchApiCase) -> Sequence[str]:
    """Return the names of sizes that Python numbers among the arguments follow."""
    following = (Size.of(number).symbols for number in case.call.numbers if number not in FREE)
    return sorted({name for names in following for name in names})


def numbers(case: TorchApiCase) -> Mapping[int, int | float]:
    """Return the Python numbers among the arguments, by position."""
    first = len(case.call.tensors)
    return dict(enumerate(inputs(case, "cpu").args[first:], first)) if case.call.numbers else {}


def parameters(case: TorchApiCase) -> Sequence[str]:
    """Return what a call's function calls its tensors."""
    return [f"x{at}" for at in range(len(case.call.tensors))]


MARKED = Declared[TorchApiCase](
    dims=dims, met=lambda case: case.sizes, least=least, parameters=parameters, counted=counted
)
EXPORTED = Declared[TorchApiCase](
    dims=dims, met=lambda case: case.sizes, least=least, traced=traced, numbers=numbers, counted=counted
)


DIM_FROM_DATA = dim_from_data(lambda case: varying_dim(case.call))


def excuses(path: ExportPath, shapes: Shapes) -> list[Excuse]:
    """Return the rules by which an export of a call may be refused, besides those of any export."""
    if path.packaged:
        return [DIM_FROM_DATA, no_backward(lambda case: case.gradients)]
    return [DIM_FROM_DATA, *([decomposed_forward(lambda case: case.gradients)] if path.inference else [])]
