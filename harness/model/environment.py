"""A Python environment of its own, for packages that are not installed beside this project."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Environment:
    """Say what an environment is called, what is in it, and what makes it."""

    name: str
    """Of its folder among the caches."""
    requirements: Path
    """The file of its packages, pinned, in pip's form; it is installed without what they depend on."""
    made_by: str
    """The command that makes it, as a user types it."""
    modules: tuple[str, ...] = ()
    """What must be importable there for it to be of use; tried when it is made."""
