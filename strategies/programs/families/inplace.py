"""In-place operations, aliases, out= and views of views that are written."""

from strategies.programs.operation import Operation

FAMILY = "inplace"

OPERATIONS: tuple[Operation, ...] = ()
