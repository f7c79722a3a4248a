"""Triton's driver: which GPU it believes in."""

import contextlib
from collections.abc import Generator
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "active": Hook("triton", "triton.runtime:driver._active", "is put back after an offline compilation", since="3.6"),
    "set_active": Hook("triton", "triton.runtime:driver.set_active", "gives Triton a driver with no GPU", since="3.6"),
}


def use_driver(driver: Any) -> None:
    """Make Triton use a driver in this process; raise Gone where this Triton has no way to."""
    HOOKS["set_active"].reach()(driver)


@contextlib.contextmanager
def driving(driver: Any) -> Generator[None]:
    """Make Triton use a driver inside, then the one before again: `reset_active` would look for a GPU."""
    before = HOOKS["active"].reach()
    use_driver(driver)
    try:
        yield
    finally:
        HOOKS["active"].replace(before)
