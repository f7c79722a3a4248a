"""One process whose Triton kernels are compiled for this machine and checked."""

import contextlib
import os
from collections.abc import Generator

from eagerdiff.harness.devices.host.host import Host
from eagerdiff.harness.internals.triton_knobs import is_interpreting, is_loaded
from eagerdiff.harness.sanitizer.record import Record


class Late(RuntimeError):
    """Say in one line that Triton is there already, as it was for another device."""


def unavailable() -> str | None:
    """Return why nothing can be checked on this machine, in one line, or None."""
    return Host().unavailable()


def environment() -> dict[str, str]:
    """Return the variables that a process needs before it imports torch or Triton."""
    return Host().environment()


def refusal(error: BaseException) -> str:
    """Return what of a kernel is not compiled, by name and line, where an exception comes of that; else ''."""
    return Host().refusal(error)


@contextlib.contextmanager
def session(seed: int = 0, *, overflows: bool = True) -> Generator[Record]:
    """Check every kernel that is launched within the block, its memory from the first allocation on.

    `seed` shuffles and interleaves the programs of each launch; 0 keeps them in order. Raise Late where Triton was
    imported to interpret.
    """
    if is_loaded() and is_interpreting():
        raise Late("Triton interprets in this process: unset TRITON_INTERPRET")
    os.environ.update(environment())
    from eagerdiff.harness.devices import uninitialised
    from eagerdiff.harness.devices.host import installation
    from eagerdiff.harness.sanitizer.cuda import in_host_memory
    from eagerdiff.harness.sanitizer.timing import untimed

    uninitialised.install()
    installation.install(integers_wrap=not overflows)
    untimed()
    record = Record(seed)
    watched = installation.watching(record, tracks=True, interleaves=bool(seed), whole=True)
    with uninitialised.poisoned(), watched, in_host_memory():
        yield record
