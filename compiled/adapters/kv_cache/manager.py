"""What another project's KV cache manager is asked for, and what it says of itself."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import numpy as np
import numpy.typing as npt

from eagerdiff.compiled.kv_cache.hashing import Key

Slots = npt.NDArray[np.int64]


class NoRoom(Exception):
    """Say that a manager has too few blocks; it has changed nothing."""


class Reuse(Enum):
    """Say in which order blocks that nobody holds are reused; a request lets go of its last block first."""

    LEFT_FIRST = auto()
    """The one first that was let go of first."""
    NAMELESS_FIRST = auto()
    """Blocks that are in no cache in any order, then the one first that was let go of first."""
    TREE = auto()
    """Leaves of a tree before what stands above them: no order of blocks."""


@dataclass(frozen=True)
class Promises:
    """State where one manager's promises differ from another's, as its source has them."""

    reuse: Reuse
    newest_only: bool = False
    """Whether, of two blocks with one content, only the one that was cached last is found."""
    caches: bool = True
    """Whether it has a prefix cache that is switched on."""


class Manager(Protocol):
    """Place tokens of requests in slots: slot s is in block s // block_size.

    An engine admits a request, writes the keys and values of the tokens that are not cached, says so by `computed`,
    and reads at `slots`.
    """

    promises: Promises

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        """Place a prompt and return how many leading tokens are there already; raise NoRoom."""
        ...

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        """Make room for further tokens of a request, of which the last may be rejected; raise NoRoom."""
        ...

    def computed(self, request: int, count: int) -> int:
        """Hear that the leading `count` tokens are written; return how many of them others may find from now on."""
        ...

    def rewind(self, request: int, count: int) -> bool:
        """Reject the last tokens; return False where there is no such thing."""
        ...

    def free(self, request: int) -> int:
        """Forget a request; return how many of its leading tokens others may find from now on."""
        ...

    def slots(self, request: int) -> Slots:
        """Return the slot of each of a request's tokens [tokens], in order; there may be more."""
        ...

    def take(self, count: int) -> Sequence[int]:
        """Hand `count` blocks that nobody holds to other work and take them back; return their numbers, in order."""
        ...

    def idle(self) -> int:
        """Return how many blocks may be handed out at once."""
        ...

    def order(self) -> Sequence[int]:
        """Return the blocks that hold nothing or may be reused, in the order of reuse where there is one."""
        ...

    def audit(self) -> None:
        """Raise AssertionError where its own books do not agree."""
        ...


@functools.lru_cache(1 << 14)
def slots_of(table: tuple[int, ...], size: int) -> Slots:
    """Return the slots [blocks · size] of blocks in order; many tables come back, so that the answers are kept."""
    return (np.array(table, np.int64)[:, None] * size + np.arange(size)).ravel()
