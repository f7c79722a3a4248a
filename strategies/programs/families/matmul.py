"""Matrix products, einsum and attention."""

from strategies.programs.operation import Operation

FAMILY = "matmul"

OPERATIONS: tuple[Operation, ...] = ()
