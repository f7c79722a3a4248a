"""Every operation of the language, by name."""

from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from types import MappingProxyType

from eagerdiff.strategies.programs.families import (
    aliases,
    attention,
    control,
    convolution,
    data_dependent,
    decoding,
    expressions,
    higher_order,
    indexing,
    inplace,
    items,
    lookup,
    losses,
    masking,
    matmul,
    network,
    normalisation,
    numbers,
    ordering,
    pointwise,
    pooling,
    random,
    readings,
    reductions,
    regions,
    resampling,
    scans,
    scattering,
    shape,
    sized,
    views,
)
from eagerdiff.strategies.programs.operation import Operation

GROUP = "eagerdiff.operations"
"""Entry points of others' families: modules with `OPERATIONS`, as ours have; the family is what the entry is called."""
_OURS = (
    pointwise,
    reductions,
    ordering,
    scans,
    views,
    shape,
    sized,
    indexing,
    lookup,
    scattering,
    masking,
    matmul,
    attention,
    network,
    normalisation,
    losses,
    pooling,
    convolution,
    resampling,
    inplace,
    aliases,
    random,
    data_dependent,
    items,
    readings,
    control,
    decoding,
    higher_order,
    regions,
    numbers,
    expressions,
)
FAMILIES: Mapping[str, Sequence[Operation]] = MappingProxyType(
    {family.__name__.rpartition(".")[-1]: family.OPERATIONS for family in _OURS}
    | {entry.name: entry.load().OPERATIONS for entry in entry_points(group=GROUP)}
)
_listed = [operation for operations in FAMILIES.values() for operation in operations]
OPERATIONS: Mapping[str, Operation] = MappingProxyType({operation.name: operation for operation in _listed})
if len(OPERATIONS) < len(_listed):
    names = [operation.name for operation in _listed]
    raise ValueError(f"two operations of one name: {sorted({name for name in names if names.count(name) > 1})}")
BY_FAMILY: Mapping[str, Sequence[Operation]] = MappingProxyType({name: of for name, of in FAMILIES.items() if of})
