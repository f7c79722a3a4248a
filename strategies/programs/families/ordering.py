"""Sorting, top-k and scans: what depends on an order, ties included."""

from strategies.programs.operation import Operation

FAMILY = "ordering"

OPERATIONS: tuple[Operation, ...] = ()
