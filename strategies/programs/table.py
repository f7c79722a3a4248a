"""Every operation of the language, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from eagerdiff.strategies.programs.families import (
    aliases,
    attention,
    control,
    convolution,
    data_dependent,
    decoding,
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
    reductions,
    resampling,
    scans,
    scattering,
    shape,
    sized,
    views,
)
from eagerdiff.strategies.programs.operation import Operation

FAMILIES = (
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
    control,
    decoding,
    higher_order,
    numbers,
)
OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {operation.name: operation for family in FAMILIES for operation in family.OPERATIONS}
)
_listed = [operation.name for family in FAMILIES for operation in family.OPERATIONS]
if len(OPERATIONS) < len(_listed):
    raise ValueError(f"two operations of one name: {sorted({name for name in _listed if _listed.count(name) > 1})}")
BY_FAMILY: Mapping[str, tuple[Operation, ...]] = MappingProxyType(
    {family.__name__.rpartition(".")[-1]: family.OPERATIONS for family in FAMILIES if family.OPERATIONS}
)
