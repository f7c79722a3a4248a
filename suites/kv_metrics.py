"""How well the KV cache uses its memory, over a serving trace at scale and over drawn ones."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings

from eagerdiff import Metric
from eagerdiff.compiled.kv_cache import open_engine
from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.occupancy import Occupancy, occupancy
from eagerdiff.compiled.kv_cache.pool import BlockPool
from eagerdiff.compiled.kv_cache.serving import Request, Server
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import HostTier, Tiers
from eagerdiff.compiled.kv_cache.transfers import Transfers
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import cases, inputs
from eagerdiff.strategies.kv_cache.serving import MAX_LENGTH, arrivals

REQUESTS, A_STEP, SEED = 300, 0.2, 0
BLOCK_SIZE, POOL, HOST, DISK = 16, 2048, 4096, 16384
"""Blocks of 16 tokens: the pool holds 32,768 tokens, 4 GiB at TOKEN_BYTES."""
DRAWN = 60
TOKEN_BYTES = 131_072
"""Bytes that a token's keys and values take in Llama 3.1 8B, in bfloat16: 2 × 32 layers × 8 heads × 128 × 2."""
PADDED, PAGED = "20–40 % (PagedAttention, arXiv 2309.06180)", "over 96 % (PagedAttention)"


@dataclass
class Usage:
    """Hold what was sampled after each step of one or more traces, where anything was reserved."""

    samples: list[Occupancy] = field(default_factory=list[Occupancy])
    padded: list[float] = field(default_factory=list[float])
    """Share of the slots in use, had every running request reserved the most that it may have."""
    doubled: list[float] = field(default_factory=list[float])
    """The same, had it reserved its prompt and its output up to the next power of two."""

    @property
    def share(self) -> float:
        """Mean share of reserved slots that are in use, in percent."""
        return 100 * fmean(one.used / one.reserved for one in self.samples)

    @property
    def saved(self) -> float:
        """Mean number of blocks that sharing saves."""
        return fmean(one.saved for one in self.samples)

    @property
    def saved_share(self) -> float:
        """The same, as a share of the blocks that there would be without, in percent."""
        return 100 * sum(one.saved for one in self.samples) / sum(one.references for one in self.samples)


@dataclass
class Served:
    """Hold what one cache did over the serving trace."""

    usage: Usage
    cache: KVCache
    preemptions: int

    def found(self, tier: str) -> float:
        """Return the share of the blocks looked for that a tier had, in percent; `gpu` is the pool."""
        hits = self.cache.found if tier == "gpu" else self.cache.tiers.hits[tier]
        return 100 * hits / self.cache.sought

    def moved(self, tier: str) -> float:
        """Return the GiB into and out of a tier, had the tokens the size of a model's."""
        storage = self.cache.storage
        scale = TOKEN_BYTES * storage.block_size / storage.read(0).nbytes
        return self.cache.tiers.moved[tier] * scale / 2**30


@functools.cache
def served(prefix_caching: bool) -> Served:
    """Serve the trace at scale, with prefix cache and tiers or with neither.

    The tier called disk lies in memory here: where blocks lie changes neither hits nor bytes.
    """
    requests = [(one.at, one.prompt, one.output) for one in arrivals(REQUESTS, SEED, a_step=A_STEP)]
    tiers = (HostTier(HOST), HostTier(DISK, "disk")) if prefix_caching else ()
    return serve(requests, tiers, prefix_caching=prefix_caching)


def serve(
    requests: Sequence[Request], tiers: Sequence[HostTier] = (), *, prefix_caching: bool, pool: int = POOL
) -> Served:
    """Serve requests on a cache of blocks of 16 tokens, and sample it after each step; a token is one number."""
    like = torch.empty(2, 0, 1, 1)
    storage = BlockStorage(pool, BLOCK_SIZE, like)
    cache = KVCache(storage, BlockPool(pool), Tiers(tiers), Transfers(SEED), prefix_caching=prefix_caching)
    server, usage = Server(cache, requests), Usage()
    for _ in server.steps(like):
        now = occupancy(cache)
        if server.running and now.reserved:
            usage.samples.append(now)
            usage.padded.append(now.tokens / (MAX_LENGTH * len(server.running)))
            usage.doubled.append(now.tokens / sum(_doubled(requests[request]) for request in server.running))
    return Served(usage, cache, server.preemptions)


def _doubled(request: Request) -> int:
    """Return a prompt's length and the power of two that its output needs."""
    _, prompt, output = request
    return len(prompt) + (1 << (len(output) - 1).bit_length())


@functools.cache
def replayed(prefix_caching: bool) -> Usage:
    """Replay traces as the search draws them, windows and budgets left out, and sample them after each step."""
    usage = Usage()
    for case in drawn():
        plain = {"window": None, "budget": None, "counted": False, "prefix_caching": prefix_caching}
        alike = case.model_copy(update=plain)
        for cache in _replaying(alike):
            now = occupancy(cache)
            resident = sum(found.resident for found in cache.requests.values())
            if resident and now.reserved:
                usage.samples.append(now)
                usage.padded.append(now.tokens / (case.capacity * resident))
    return usage


def _replaying(case: KVCacheCase) -> Iterator[KVCache]:
    """Yield a trace's cache after each of its steps."""
    made = inputs(case, "cpu")
    opened = {name: value for name, value in made.options.items() if name != "counted"}
    with open_engine(**opened) as engine:
        for name, *arguments in made.args[0]:
            engine.step(name, *arguments)
            yield engine.cache


def drawn() -> list[KVCacheCase]:
    """Draw traces as the search does, the same ones each time."""
    found: list[KVCacheCase] = []

    @seed(SEED)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
    )
    @given(cases())
    def collect(case: KVCacheCase) -> None:
        found.append(case)

    collect()
    return found


def metrics() -> list[Metric]:
    """Take all of the above."""
    return [*_shares(), *_sharing(), *_tiers()]


def _shares() -> list[Metric]:
    plain, cached = served(False).usage, served(True).usage
    what = "reserved slots in use, conversations as in Azure's trace"
    few, fewer = replayed(False), replayed(True)
    small = "reserved slots in use, drawn traces on small pools"
    rows = (
        (what, f"padded to {MAX_LENGTH:,} tokens", 100 * fmean(plain.padded), PADDED),
        (what, "prompt, and output to a power of two", 100 * fmean(plain.doubled), ""),
        (what, "paged", plain.share, PAGED),
        (what, "paged, prefix cache, copies in flight", cached.share, PAGED),
        (small, "padded to the pool", 100 * fmean(few.padded), ""),
        (small, "paged", few.share, ""),
        (small, "paged, prefix cache, copies in flight", fewer.share, ""),
    )
    return [Metric(what=what, by=by, value=value, unit="%", published=published) for what, by, value, published in rows]


def _sharing() -> list[Metric]:
    cached, drawn = served(True).usage, replayed(True)
    what = "blocks saved by sharing, of those without it"
    return [
        Metric(what=what, by=f"Azure's lengths, {cached.saved:.0f} blocks", value=cached.saved_share, unit="%"),
        Metric(what=what, by=f"drawn traces, {drawn.saved:.1f} blocks", value=drawn.saved_share, unit="%"),
    ]


def _tiers() -> list[Metric]:
    cache = served(True)
    names = ("gpu", "host", "disk")
    what = "blocks of prompts found, by tier"
    found = [Metric(what=what, by=name, value=cache.found(name), unit="%") for name in names]
    found.append(Metric(what=what, by="none: computed", value=100 - sum(one.value for one in found), unit="%"))
    what = "moved in and out, at 128 KiB a token"
    return found + [Metric(what=what, by=name, value=cache.moved(name), unit="GiB") for name in names[1:]]
