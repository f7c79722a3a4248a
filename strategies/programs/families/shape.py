"""Shape: joining, splitting, padding, repeating, rearranging into new memory."""

from strategies.programs.operation import Operation

FAMILY = "shape"

OPERATIONS: tuple[Operation, ...] = ()
