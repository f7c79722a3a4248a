"""What a manager must hold by what it was told: who holds which block, what is in it, when it was left."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from eagerdiff.compiled.adapters.kv_cache.manager import Manager, Reuse, Slots
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require

Name = tuple[tuple[int, ...], tuple[Key, ...]]
"""What a block holds: all tokens up to its end, and the request's keys."""

NOTHING: Slots = np.zeros(0, np.int64)


@dataclass
class Placed:
    """Hold what is known of one request."""

    tokens: list[int]
    keys: tuple[Key, ...]
    table: list[int] = field(default_factory=list[int])
    """Its blocks."""
    slots: Slots = field(default_factory=lambda: NOTHING)
    computed: int = 0
    published: int = 0
    """Leading blocks that others may find."""
    resident: bool = False

    def leave(self) -> None:
        """Note that it has no block any more."""
        self.table, self.slots, self.computed, self.published, self.resident = [], NOTHING, 0, 0, False

    def name(self, index: int, size: int) -> Name:
        """Return what its block of that number holds."""
        return tuple(self.tokens[: (index + 1) * size]), self.keys


class Held:
    """Follow a manager's blocks, and hold what it says of them against it."""

    def __init__(self, manager: Manager, num_blocks: int, size: int) -> None:
        self.manager, self.num_blocks, self.size = manager, num_blocks, size
        self.holders: Counter[int] = Counter()
        self._names: dict[int, Name] = {}
        self._cached: dict[Name, list[int]] = {}
        self._left = dict.fromkeys(manager.order(), 0)
        """When each block that nobody holds was let go of; those of 0 never were held."""
        self._clock = 0

    def hits(self, found: Placed) -> int:
        """Return how many leading blocks of a prompt must be found: all that are there, short of its last token."""
        if not self.manager.promises.caches:
            return 0
        most = (len(found.tokens) - 1) // self.size
        return next((index for index in range(most) if found.name(index, self.size) not in self._cached), most)

    def share(self, blocks: Iterable[int]) -> None:
        """Note that one more request holds blocks, as they are."""
        for block in blocks:
            self.holders[block] += 1
            self._left.pop(block, None)

    def hold(self, blocks: Iterable[int]) -> None:
        """Note that a request holds blocks, which were handed out for it in this order."""
        for block in blocks:
            self._hand_out(block)
            self.share((block,))

    def release(self, blocks: Sequence[int]) -> None:
        """Note that a request lets go of blocks, in this order."""
        for block in blocks:
            self.holders[block] -= 1
            if not self.holders[block]:
                del self.holders[block]
                self._clock += 1
                self._left[block] = self._clock

    def publish(self, found: Placed, tokens: int) -> None:
        """Note that others may find the full blocks among a request's leading tokens."""
        for index in range(found.published, tokens // self.size):
            self._name(found.table[index], found.name(index, self.size))
        found.published = max(found.published, tokens // self.size)

    def forget(self, block: int) -> None:
        """Note that a block's content is gone."""
        name = self._names.pop(block, None)
        if name is not None and block in self._cached.get(name, ()):
            self._cached[name].remove(block)
            if not self._cached[name]:
                del self._cached[name]

    def check(self) -> None:
        """Raise BrokenInvariant unless the manager's books say what was followed."""
        order = self.manager.order()
        require(len(set(order)) == len(order), f"a block is idle twice: {order}")
        held = [block for block in order if self.holders[block]]
        require(not held, f"blocks {held} may be reused, and somebody holds them")
        idle, expected = self.manager.idle(), self.num_blocks - len(self.holders)
        require(idle == expected, f"{idle} blocks may be taken, and nobody holds {expected}")
        if self.manager.promises.reuse is Reuse.TREE:
            for block in order:
                self.forget(block)
        self.manager.audit()

    def _hand_out(self, block: int) -> None:
        """Note that a block gets another content; it must have been its turn."""
        require(not self.holders[block], f"block {block} is handed out and somebody holds it")
        reuse = self.manager.promises.reuse
        if reuse is not Reuse.TREE:
            turns = {one: self._turn(one, reuse) for one in self._left}
            first = min(turns, key=turns.__getitem__)
            require(turns[block] == turns[first], f"block {block} is handed out where {first} was left before it")
        self.forget(block)

    def _turn(self, block: int, reuse: Reuse) -> int:
        """Return a number that is the smaller, the earlier a block that nobody holds is to be reused."""
        return -1 if reuse is Reuse.NAMELESS_FIRST and block not in self._names else self._left[block]

    def _name(self, block: int, name: Name) -> None:
        self.forget(block)
        self._names[block] = name
        cached = self._cached.setdefault(name, [])
        if self.manager.promises.newest_only:
            cached.clear()
        cached.append(block)
