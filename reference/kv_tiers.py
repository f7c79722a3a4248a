"""The tiers below a KV cache's pool, as names in the order of their use: what `kv_counts` says of them."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

Name = tuple[tuple[int, ...], tuple[Any, ...]]
"""All tokens up to a block's end, and the extra keys."""


class Failed(Exception):
    """Say that a tier did not take or give a block."""


class Tiers:
    """Hold names in tiers, each from the least to the most recently used, with the order in which it stored them."""

    def __init__(self, kinds: Sequence[str], capacity: int) -> None:
        self.kinds, self.capacity, self.breaks = kinds, capacity, 0
        self.bad_reads = 0
        self.held: list[OrderedDict[Name, int]] = [OrderedDict() for _ in kinds]
        self._stores = 0
        self.clear()

    def clear(self) -> None:
        """Begin to count anew; only files are left, in the order in which they were stored."""
        self.loaded, self.moved, self.lost = [0] * len(self.kinds), [0] * len(self.kinds), 0
        for tier, (kind, held) in enumerate(zip(self.kinds, self.held, strict=True)):
            kept = [] if kind == "host" else sorted(held.items(), key=lambda item: item[1])
            self.held[tier] = OrderedDict(kept)

    def __contains__(self, name: Name) -> bool:
        return any(name in held for held in self.held)

    def load(self, name: Name) -> None:
        """Load a name from the highest tier that has it, and keep it in the first; raise Failed where none has it."""
        for tier, held in enumerate(self.held):
            if name in held and self._readable(name, tier):
                held.move_to_end(name)
                self.loaded[tier] += 1
                self.moved[tier] += 1
                if tier:
                    self._promote(name)
                return
        raise Failed

    def store(self, name: Name, tier: int = 0) -> None:
        """Keep a name in a tier, and move down what must make room; raise Failed where a write breaks off."""
        held = self.held[tier]
        if name in held:
            held.move_to_end(name)
            return
        if self.kinds[tier] != "host" and self.breaks:
            self.breaks -= 1
            raise Failed
        self._stores += 1
        held[name] = self._stores
        self.moved[tier] += 1
        if len(held) > self.capacity:
            self._drop(tier)

    def _readable(self, name: Name, tier: int) -> bool:
        """Say whether a tier gives a name that it has; one that it does not give it forgets."""
        if self.kinds[tier] == "host" or not self.bad_reads:
            return True
        self.bad_reads -= 1
        del self.held[tier][name]
        return False

    def _promote(self, name: Name) -> None:
        try:
            self.store(name)
        except Failed:
            return

    def _drop(self, tier: int) -> None:
        """Move the least recently used name down."""
        name = next(iter(self.held[tier]))
        lower = tier + 1
        if lower < len(self.held) and (name in self.held[lower] or self._given(name, tier)):
            try:
                self.store(name, lower)
            except Failed:
                self.lost += 1
        self.held[tier].pop(name, None)

    def _given(self, name: Name, tier: int) -> bool:
        """Read a name that is to be written back; what cannot be read is lost."""
        given = self._readable(name, tier)
        self.moved[tier] += given
        self.lost += not given
        return given
