"""The KV cache under test: an engine drives it through a serving trace, its invariants are checked at each step."""

import contextlib
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from compiled.kv_cache.cache import KVCache
from compiled.kv_cache.engine import Engine
from compiled.kv_cache.invariants import check
from compiled.kv_cache.pool import BlockPool
from compiled.kv_cache.storage import BlockStorage, Layout
from compiled.kv_cache.tiers import FileTier, HostTier, Tier, Tiers
from compiled.kv_cache.transfers import Transfers
from harness import Implementation


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
) -> Generator[Engine]:
    """Open an engine over an empty cache for keys and values like `like` [2, 0, num_kv_heads, D]."""
    with tempfile.TemporaryDirectory(prefix="eagerdiff-kv-") as folder:
        cache = KVCache(
            BlockStorage(num_blocks, block_size, like, layout),
            BlockPool(num_blocks, hash_bits=hash_bits),
            Tiers(_tiers(tiers, tier_blocks, Path(folder))),
            Transfers(seed),
            window=window,
            budget=budget,
            prefix_caching=prefix_caching,
        )
        yield Engine(cache, chunk)


def replay(steps: Sequence[Sequence[Any]], **options: Any) -> list[Tensor]:
    """Drive a cache through a trace; steps, options and result as the reference's, the pool's as `open_engine`'s.

    Raises BrokenInvariant where blocks, references and contents do not agree after a step.
    """
    ghost: dict[bytes, Tensor] = {}
    with open_engine(**options) as engine:
        for name, *arguments in steps:
            engine.step(name, *arguments)
            check(engine.cache, engine.computed, ghost)
        return engine.reads


def _tiers(name: str, capacity: int, folder: Path) -> list[Tier]:
    tiers: list[Tier] = []
    if name != "none":
        tiers.append(HostTier(capacity))
    if name == "host_disk":
        tiers.append(FileTier(folder.as_uri(), capacity))
    return tiers


IMPLEMENTATIONS: Sequence[Implementation] = (
    Implementation(
        operator="kv_cache",
        name="blocks",
        build=lambda case: replay,
        devices=("cpu", "cuda"),
        description="block tables over a shared pool, prefix cache, tiers: host memory and disk",
    ),
)
