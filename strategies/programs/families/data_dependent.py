"""Sizes that depend on data: nonzero, unique, masked_select, item, tolist."""

from strategies.programs.operation import Operation

FAMILY = "data_dependent"

OPERATIONS: tuple[Operation, ...] = ()
