"""Python numbers among the arguments: sizes, offsets and factors that change from call to call."""

from strategies.programs.operation import Operation

FAMILY = "numbers"

OPERATIONS: tuple[Operation, ...] = ()
