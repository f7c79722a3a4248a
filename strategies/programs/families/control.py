"""Control flow: branches and loops on sizes, cond, while_loop, scan, map, early exit, speculative decoding."""

from strategies.programs.operation import Operation

FAMILY = "control"

OPERATIONS: tuple[Operation, ...] = ()
