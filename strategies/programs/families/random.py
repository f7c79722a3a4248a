"""Random numbers under a seed."""

from strategies.programs.operation import Operation

FAMILY = "random"

OPERATIONS: tuple[Operation, ...] = ()
