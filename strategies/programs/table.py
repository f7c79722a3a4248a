"""Every operation of the language, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from strategies.programs.families import (
    control,
    data_dependent,
    indexing,
    inplace,
    matmul,
    network,
    numbers,
    ordering,
    pointwise,
    random,
    reductions,
    shape,
    views,
)
from strategies.programs.operation import Operation

FAMILIES = (
    pointwise,
    reductions,
    ordering,
    views,
    shape,
    indexing,
    matmul,
    network,
    inplace,
    random,
    data_dependent,
    control,
    numbers,
)
OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {operation.name: operation for family in FAMILIES for operation in family.OPERATIONS}
)
BY_FAMILY: Mapping[str, tuple[Operation, ...]] = MappingProxyType(
    {family.__name__.rpartition(".")[-1]: family.OPERATIONS for family in FAMILIES if family.OPERATIONS}
)
