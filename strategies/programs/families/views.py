"""Views and strides: the same memory under other sizes, strides and offsets."""

from strategies.programs.operation import Operation

FAMILY = "views"

OPERATIONS: tuple[Operation, ...] = ()
