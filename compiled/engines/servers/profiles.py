"""Profiles: the least, the middle and the largest size of each dim of a program's tensors."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch


class Profile(NamedTuple):
    """Hold three shapes of a tensor, and its dtype."""

    least: tuple[int, ...]
    middle: tuple[int, ...]
    most: tuple[int, ...]
    dtype: torch.dtype


def profiles(program: torch.export.ExportedProgram) -> Mapping[str, Profile]:
    """Return the profile of each of a program's tensors by name, from the ranges that it declares.

    Raises ValueError where a size has no end: a profile needs one.
    """
    ranges = program.range_constraints
    if endless := [str(symbol) for symbol, limits in ranges.items() if not limits.upper.is_Integer]:
        raise ValueError(f"a profile needs the largest size, and {endless[0]} has none")
    values = {node.name: node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"}
    names = [name for name in program.graph_signature.user_inputs if isinstance(name, str)]
    least, middle, most = (
        {symbol: pick(int(limits.lower), int(limits.upper)) for symbol, limits in ranges.items()}
        for pick in (min, lambda low, high: (low + high) // 2, max)
    )
    return {
        name: Profile(
            least=_at(values[name].shape, least),
            middle=_at(values[name].shape, middle),
            most=_at(values[name].shape, most),
            dtype=values[name].dtype,
        )
        for name in names
    }


def _at(shape: Sequence[int | torch.SymInt], sizes: Mapping[Any, int]) -> tuple[int, ...]:
    return tuple(size if isinstance(size, int) else int(size.node.expr.subs(sizes)) for size in shape)
