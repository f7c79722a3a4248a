"""The KV cache under test: an engine drives it through a serving trace, its invariants are checked at each step."""

import contextlib
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation
from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.checked import BreakableFiles, CheckedTiers
from eagerdiff.compiled.kv_cache.engine import Engine
from eagerdiff.compiled.kv_cache.file_tier import FileTier
from eagerdiff.compiled.kv_cache.invariants import check
from eagerdiff.compiled.kv_cache.pool import BlockPool
from eagerdiff.compiled.kv_cache.storage import BlockStorage, Layout
from eagerdiff.compiled.kv_cache.tiers import HostTier, Tier
from eagerdiff.compiled.kv_cache.transfers import Transfers
from eagerdiff.strategies.cases.kv_cache import KVCacheCase


@contextlib.contextmanager
def open_engine(
    *,
    like: Tensor,
    block_size: int,
    num_blocks: int,
    layout: Layout,
    hash_bits: int,
    window: int | None,
    budget: int | None,
    tiers: str,
    tier_blocks: int,
    prefix_caching: bool,
    chunk: int | None,
    seed: int,
    below: Sequence[Tier] = (),
) -> Generator[Engine]:
    """Open an engine over an empty cache for keys and values like `like` [2, 0, num_kv_heads, D].

    `below` are tiers of one's own, under those that `tiers` names.
    """
    with tempfile.TemporaryDirectory(prefix="eagerdiff-kv-") as folder:
        files = BreakableFiles()

        def open_cache() -> KVCache:
            return KVCache(
                BlockStorage(num_blocks, block_size, like, layout),
                BlockPool(num_blocks, hash_bits=hash_bits),
                CheckedTiers((*_tiers(tiers, tier_blocks, Path(folder), files), *below)),
                Transfers(seed),
                window=window,
                budget=budget,
                prefix_caching=prefix_caching,
            )

        yield Engine(open_cache, chunk, files)


def replay(steps: Sequence[Sequence[Any]], *, counted: bool = False, **options: Any) -> list[Tensor]:
    """Drive a cache through a trace; steps, options and result as the reference's, the pool's as `open_engine`'s.

    Return what each read gave, [2, tokens, num_kv_heads, D], and the counts after each step where they are asked for,
    int64 [steps, 8 + 2 · tiers]. Raises BrokenInvariant where blocks, references and contents do not agree after a
    step.
    """
    ghost: dict[bytes, Tensor] = {}
    rows: list[list[int]] = []
    with open_engine(**options) as engine:
        for name, *arguments in steps:
            engine.step(name, *arguments)
            check(engine.cache, engine.computed, ghost)
            rows.append(engine.counts())
        counts = torch.tensor(rows, dtype=torch.int64).view(len(rows), -1 if rows else len(engine.counts()))
        return [*engine.reads, counts] if counted else engine.reads


def _tiers(name: str, capacity: int, folder: Path, files: BreakableFiles) -> list[Tier]:
    """Return tiers by their names, as in `host_disk_store`; a store of objects is a folder here."""
    tiers: list[Tier] = []
    for kind in name.split("_"):
        if kind == "host":
            tiers.append(HostTier(capacity))
        elif kind != "none":
            tier = FileTier((folder / kind).as_uri(), capacity, name=kind)
            tier.files = files
            tiers.append(tier)
    return tiers


IMPLEMENTATIONS: Sequence[Implementation[KVCacheCase]] = (
    Implementation(
        operator="kv_cache",
        name="blocks",
        build=lambda case: replay,
        devices=("cpu", "cuda"),
        description="block tables over a shared pool, prefix cache, tiers: host memory, disk, a store of objects",
    ),
)
