"""MLIR as Triton prints it: types, attributes, operations, and where they come from."""
