"""The operations, one module a family; a family's `OPERATIONS` is a tuple of them."""
