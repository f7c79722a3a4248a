"""Names that Dynamo gives to what it adds to a module: numbered through the life of a process."""

import contextlib
import itertools
from collections.abc import Generator

from eagerdiff.harness.internals.hook import Hook

COUNTER = Hook(
    "torch",
    "torch._dynamo.bytecode_transformation:_unique_id_counter",
    "has a process name things as one that compiled nothing would",
    since="2.1",
)


@contextlib.contextmanager
def named_anew() -> Generator[None]:
    """Have names that are given inside given once more after."""
    first = next(COUNTER.reach())
    try:
        yield
    finally:
        COUNTER.replace(itertools.count(first))
