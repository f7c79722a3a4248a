"""The tiers below the pool: host memory, disk, object storage, each with a budget of blocks."""

import contextlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


class Tier(Protocol):
    """Keep blocks by the digest of their content."""

    name: str
    capacity: int
    """Blocks."""

    def __contains__(self, digest: bytes) -> bool: ...

    def touch(self, digest: bytes) -> None:
        """Make a block that is there the last to be dropped."""
        ...

    def load(self, digest: bytes) -> Tensor:
        """Return the block [2, P, K, D]; raise OSError where it is gone."""
        ...

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block [2, P, K, D]; it can be seen only when it is whole. Raise OSError where it cannot be kept."""
        ...

    def excess(self) -> bytes | None:
        """Return the least recently used block where there are more than the capacity, else None."""
        ...

    def remove(self, digest: bytes) -> None:
        """Forget a block, there or not."""
        ...


class HostTier:
    """Keep blocks in host memory."""

    def __init__(self, capacity: int, name: str = "host") -> None:
        self.name, self.capacity = name, capacity
        self._blocks: OrderedDict[bytes, Tensor] = OrderedDict()

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._blocks

    def touch(self, digest: bytes) -> None:
        """Make a block the last to be dropped."""
        self._blocks.move_to_end(digest)

    def load(self, digest: bytes) -> Tensor:
        """Return the block [2, P, K, D]; raise OSError where it is gone."""
        if digest not in self._blocks:
            raise FileNotFoundError(f"{self.name}: no block {digest.hex()}")
        self._blocks.move_to_end(digest)
        return self._blocks[digest]

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a copy of a block [2, P, K, D]."""
        self._blocks[digest] = kv.to("cpu", copy=True)
        self._blocks.move_to_end(digest)

    def excess(self) -> bytes | None:
        """Return the least recently used block where there are more than the capacity, else None."""
        return next(iter(self._blocks)) if len(self._blocks) > self.capacity else None

    def remove(self, digest: bytes) -> None:
        """Forget a block, there or not."""
        self._blocks.pop(digest, None)


class Tiers:
    """Keep blocks in the highest tier; what a tier drops goes to the next, what is asked for goes up to the first."""

    def __init__(self, tiers: Sequence[Tier]) -> None:
        self.tiers = tuple(tiers)
        self.hits: dict[str, int] = {tier.name: 0 for tier in tiers}
        """Blocks loaded from each."""
        self.moved: dict[str, int] = {tier.name: 0 for tier in tiers}
        """Bytes into and out of each."""
        self.lost = 0
        """Blocks that a tier would not give back, or the next one not take, when they were to be written back."""

    def __contains__(self, digest: bytes) -> bool:
        return any(digest in tier for tier in self.tiers)

    def load(self, digest: bytes) -> Tensor:
        """Return a block [2, P, K, D] from the highest tier that has it and promote it to the first; raise OSError."""
        for position, tier in enumerate(self.tiers):
            if digest in tier:
                try:
                    kv = tier.load(digest)
                except OSError:
                    continue  # a lower tier may have it, too
                self.hits[tier.name] += 1
                self.moved[tier.name] += kv.nbytes
                if position:
                    self._promote(digest, kv)
                return kv
        raise FileNotFoundError(f"no tier has block {digest.hex()}")

    def store(self, digest: bytes, kv: Tensor, below: int = 0) -> None:
        """Keep a block [2, P, K, D] in a tier and make room there; raise OSError where the tier does not take it."""
        tier = self.tiers[below]
        if digest in tier:
            tier.touch(digest)
            return
        tier.store(digest, kv)
        self.moved[tier.name] += kv.nbytes
        while (oldest := tier.excess()) is not None:
            self._write_back(oldest, below)

    def _promote(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block that a lower tier had in the first; it is found below where that fails."""
        with contextlib.suppress(OSError):
            self.store(digest, kv)

    def _write_back(self, digest: bytes, above: int) -> None:
        """Take a block out of a tier and keep it in the next; past the last one it must be recomputed one day."""
        tier, lower = self.tiers[above], self.tiers[above + 1 :]
        if lower and digest in lower[0]:
            lower[0].touch(digest)
        elif lower:
            try:
                kv = tier.load(digest)
                self.moved[tier.name] += kv.nbytes
                self.store(digest, kv, above + 1)
            except OSError:
                self.lost += 1
        tier.remove(digest)
