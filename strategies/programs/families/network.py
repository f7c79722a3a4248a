"""Layers of networks: normalisation, losses, pooling, convolution, interpolation, embedding."""

from strategies.programs.operation import Operation

FAMILY = "network"

OPERATIONS: tuple[Operation, ...] = ()
