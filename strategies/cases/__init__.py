"""The cases of our operators, as data: pydantic models, one file an operator, that what is under test may read too."""
