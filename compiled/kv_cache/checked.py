"""Tiers that are held to their promises at each move, over files that may break."""

from collections.abc import Sequence
from typing import Any, cast

from fsspec.implementations.local import LocalFileSystem
from torch import Tensor

from eagerdiff.compiled.kv_cache.invariants import BrokenInvariant
from eagerdiff.compiled.kv_cache.tiers import Tier, Tiers


class CheckedTiers(Tiers):
    """Raise BrokenInvariant where a block that is asked for stays below, or one that a tier drops is in no other."""

    def __init__(self, tiers: Sequence[Tier]) -> None:
        super().__init__(tiers)
        self._seen: set[bytes] = set()

    def load(self, digest: bytes) -> Tensor:
        """Load a block [2, P, K, D], and look for it in the first tier; raise BrokenInvariant where it is not there."""
        kv = super().load(digest)
        if digest not in self.tiers[0]:
            raise BrokenInvariant("a block was found in a lower tier and not promoted")
        return kv

    def store(self, digest: bytes, kv: Tensor, below: int = 0) -> None:
        """Keep a block [2, P, K, D], and look for those that had to make room for it.

        Raises BrokenInvariant where one is lost and not counted, and OSError where the tier does not take the block.
        """
        before, lost = self._held(), self.lost
        self._seen.add(digest)
        try:
            super().store(digest, kv, below)
        except OSError:
            if digest in self.tiers[below]:
                raise BrokenInvariant("a block that could not be stored can be seen") from None
            raise
        if digest not in self.tiers[below]:
            raise BrokenInvariant("a block was stored and is not there")
        self._check_drops(before, lost, below)

    def _held(self) -> list[set[bytes]]:
        return [{digest for digest in self._seen if digest in tier} for tier in self.tiers]

    def _check_drops(self, before: Sequence[set[bytes]], lost: int, below: int) -> None:
        """Hold what left each tier against what the next one has: all of it, but what was counted as lost."""
        after = self._held()
        for tier, held in zip(self.tiers[below:], after[below:], strict=True):
            if len(held) > tier.capacity:
                raise BrokenInvariant(f"{tier.name} holds {len(held)} blocks, and has room for {tier.capacity}")
        gone = sum(len(was - now - below) for was, now, below in zip(before, after, after[1:], strict=False))
        if gone > self.lost - lost:
            raise BrokenInvariant(
                f"{gone} blocks left a tier and are not in the next, {self.lost - lost} counted as lost"
            )


class BreakableFiles(LocalFileSystem):
    """Break off writes when told to, half of the file written, as a full disk does; break reads, as a bad one does."""

    cachable = False
    """Whether fsspec shares one instance: what is to break here is nobody else's."""
    breaks = 0
    """Writes that will break."""
    bad_reads = 0
    """Reads that will."""

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        """Read a file; raise OSError where that is to break."""
        if self.bad_reads:
            self.bad_reads -= 1
            raise OSError("input/output error")
        with self.open(path, "rb") as file:
            return cast("bytes", file.read())[start:end]

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **options: Any) -> None:
        """Write a file of bytes, or half of it: then raise OSError."""
        if not self.breaks:
            super().pipe_file(path, value, mode, **options)
            return
        self.breaks -= 1
        super().pipe_file(path, value[: len(value) // 2], mode, **options)
        raise OSError("no space left on device")
