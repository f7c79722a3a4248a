"""All hooks, by the file that reaches for them."""

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType

from eagerdiff.harness import internals
from eagerdiff.harness.internals.hook import Hook

_OF_ALL = ("hook", "inventory", "releases")
"""What the files have in common: they reach for nothing."""
FILES: tuple[ModuleType, ...] = tuple(
    importlib.import_module(f"{internals.__name__}.{found.name}")
    for found in pkgutil.iter_modules(internals.__path__)
    if found.name not in _OF_ALL
)


def hooks_of(file: ModuleType) -> tuple[Hook, ...]:
    """Return the hooks that a file declares, alone or in tables, in order."""
    found: dict[Hook, None] = {}
    for value in vars(file).values():
        if isinstance(value, Hook):
            found[value] = None
        elif isinstance(value, Mapping):
            found.update((one, None) for one in value.values() if isinstance(one, Hook))
    return tuple(found)


def inventory() -> Mapping[str, tuple[Hook, ...]]:
    """Return every hook, by the name of its file."""
    return {file.__name__.rpartition(".")[2]: hooks_of(file) for file in FILES}
