"""The tiers below the pool: host memory, disk, object storage, each with a budget of blocks."""

import io
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

import fsspec
import torch
from torch import Tensor


class Tier(Protocol):
    """Keep blocks by the digest of their content."""

    name: str
    capacity: int
    """Blocks."""

    def __contains__(self, digest: bytes) -> bool: ...

    def load(self, digest: bytes) -> Tensor:
        """Return the block [2, P, K, D]; raise OSError where it is gone."""
        ...

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block; it can be seen only when it is whole. Raise OSError where it cannot be kept."""
        ...

    def drop(self) -> tuple[bytes, Tensor] | None:
        """Remove the least recently used block beyond the capacity and return it, or None."""
        ...


class HostTier:
    """Keep blocks in host memory."""

    def __init__(self, capacity: int, name: str = "host") -> None:
        self.name, self.capacity = name, capacity
        self._blocks: OrderedDict[bytes, Tensor] = OrderedDict()

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._blocks

    def load(self, digest: bytes) -> Tensor:
        """Return the block; raise KeyError's kin OSError where it is gone."""
        if digest not in self._blocks:
            raise FileNotFoundError(f"{self.name}: no block {digest.hex()}")
        self._blocks.move_to_end(digest)
        return self._blocks[digest]

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block."""
        self._blocks[digest] = kv.to("cpu", copy=True)
        self._blocks.move_to_end(digest)

    def drop(self) -> tuple[bytes, Tensor] | None:
        """Remove the least recently used block beyond the capacity and return it, or None."""
        return self._blocks.popitem(last=False) if len(self._blocks) > self.capacity else None


class FileTier:
    """Keep blocks as files of any file system that fsspec knows: `file:///cache`, `memory://cache`, `s3://bucket/kv`."""

    def __init__(self, url: str, capacity: int, name: str = "", **options: Any) -> None:
        """`options` are fsspec's: credentials, an endpoint."""
        filesystem, root = fsspec.core.url_to_fs(url, **options)
        self._files, self._root = filesystem, root
        self.name, self.capacity = name or url.split(":")[0], capacity
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._files.makedirs(root, exist_ok=True)

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._known

    def load(self, digest: bytes) -> Tensor:
        """Return the block; raise OSError where it is gone."""
        data = self._files.cat_file(self._path(digest))
        self._known.move_to_end(digest)
        return torch.load(io.BytesIO(data), weights_only=True)

    def store(self, digest: bytes, kv: Tensor) -> None:
        """Keep a block: whole, or not at all."""
        data = io.BytesIO()
        torch.save(kv.to("cpu", copy=True), data)
        self._files.pipe_file(self._path(digest), data.getvalue())
        self._known[digest] = None
        self._known.move_to_end(digest)

    def drop(self) -> tuple[bytes, Tensor] | None:
        """Remove the least recently used block beyond the capacity and return it, or None."""
        if len(self._known) <= self.capacity:
            return None
        digest = next(iter(self._known))
        kv = self.load(digest)
        del self._known[digest]
        self._files.rm_file(self._path(digest))
        return digest, kv

    def _path(self, digest: bytes) -> str:
        return f"{self._root}/{digest.hex()}"


class Tiers:
    """Keep a block in the highest tier that has room; what a tier drops goes to the next, and off the last."""

    def __init__(self, tiers: Sequence[Tier]) -> None:
        self.tiers = tuple(tiers)
        self.hits: dict[str, int] = {tier.name: 0 for tier in tiers}
        self.moved: dict[str, int] = {tier.name: 0 for tier in tiers}
        """Bytes into and out of each."""
        self.lost = 0
        """Blocks that no tier would take."""

    def __contains__(self, digest: bytes) -> bool:
        return any(digest in tier for tier in self.tiers)

    def load(self, digest: bytes) -> Tensor:
        """Return a block from the highest tier that has it and promote it to the first; raise OSError."""
        for position, tier in enumerate(self.tiers):
            if digest in tier:
                kv = tier.load(digest)
                self.hits[tier.name] += 1
                self.moved[tier.name] += kv.nbytes
                if position:
                    self.store(digest, kv)
                return kv
        raise FileNotFoundError(f"no tier has block {digest.hex()}")

    def store(self, digest: bytes, kv: Tensor, below: int = 0) -> None:
        """Keep a block in a tier and make room there; raise OSError where the tier does not take it."""
        tier = self.tiers[below]
        tier.store(digest, kv)
        self.moved[tier.name] += kv.nbytes
        while (dropped := tier.drop()) is not None:
            self._demote(*dropped, below + 1)

    def _demote(self, digest: bytes, kv: Tensor, below: int) -> None:
        """Keep what a tier dropped in the next one; past the last one, or where that fails, it must be recomputed."""
        if below == len(self.tiers):
            return
        try:
            self.store(digest, kv, below)
        except OSError:
            self.lost += 1
