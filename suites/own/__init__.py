"""A page of one's own: an operator made of a function or a module, and what its user says of its arguments."""
