"""What the compile model takes for granted of Dynamo, by release of torch.

Compilations of the same calls were counted under torch 2.11.0, 2.13.0 and 2.15.0: sizes 0, 1 and more, strides, plain
numbers, equal sizes, a branch on a size, under each mode. They are the same. What differs is which settings there are
that would change them; `suites/tests/test_compile_model.py` holds each row against the torch that is installed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from eagerdiff.harness.internals.releases import Release, release


@dataclass(frozen=True)
class Behaviour:
    """Say how Dynamo treats sizes, from a release on."""

    since: Release
    specialised: tuple[int, ...] = (0, 1)
    """Backed sizes that get code of their own (`ShapeEnv.specialize_zero_one`)."""
    duck: bool = True
    """Whether equal sizes share a symbol, and so a guard, until they differ (`ShapeEnv.duck_shape`)."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Settings of Dynamo and of symbolic shapes whose defaults the model counts on."""


_SETTINGS: Mapping[str, object] = {
    "assume_static_by_default": True,
    "automatic_dynamic_shapes": True,
    "automatic_dynamic_shapes_mark_as": "dynamic",
    "specialize_int": False,
    "specialize_float": False,
    "recompile_limit": 8,
    "accumulated_recompile_limit": 256,
    "use_duck_shape": True,
    "backed_size_oblivious": False,
}
BEHAVIOURS = (
    Behaviour((2, 11), settings=_SETTINGS),
    # With this one on, code made for sizes that change would refuse the size that had been met first: one compilation
    # more in mode `automatic`. 2.11 has no such setting. (2.12 has not been looked at.)
    Behaviour((2, 13), settings={**_SETTINGS, "automatic_dynamic_exclusion_guard": False}),
)
"""Oldest first; a release has the last row that is not newer than itself."""


def behaviour_of(torch_release: Release) -> Behaviour:
    """Return the row of a release; older ones than the first row have the first."""
    rows = [row for row in BEHAVIOURS if row.since <= torch_release]
    return rows[-1] if rows else BEHAVIOURS[0]


@cache
def behaviour() -> Behaviour:
    """Return the row of the torch that is installed."""
    return behaviour_of(release("torch"))
