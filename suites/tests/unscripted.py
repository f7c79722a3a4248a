"""Checks that write no scripts: verifying one takes longer than all else of a check, and few tests look at it."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from unittest import mock

PLACES = ("eagerdiff.suites.own.check.scripts_folder", "eagerdiff.suites.own.kernel_check.scripts_folder")


@contextmanager
def unscripted() -> Generator[None]:
    """Have checks find, and write nothing."""
    with ExitStack() as stack:
        for place in PLACES:
            stack.enter_context(mock.patch(place, return_value=None))
        yield
