"""Indexing: gather, scatter and their reductions, index_put, masks, searching in sorted values."""

from strategies.programs.operation import Operation

FAMILY = "indexing"

OPERATIONS: tuple[Operation, ...] = ()
