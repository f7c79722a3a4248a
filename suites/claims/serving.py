"""Claims on serving: memory of the KV cache, what a hit in each tier costs, launches of experts, and idle ranks."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import nn

from eagerdiff import Metric
from eagerdiff.compiled.kv_cache.file_tier import FileTier
from eagerdiff.suites import kv_metrics, moe_metrics
from eagerdiff.suites.claims.claim import Claim, microseconds

BLOCK = (2, 16, 8, 128)
"""Keys and values, tokens, heads, width: 128 KiB in float32."""
RANKS, EXPERTS, TOKENS, TOP_K = 8, 64, 4096, 8


def paged() -> Iterator[Metric]:
    """Take the share of reserved slots that are in use."""
    taken = [one for one in kv_metrics.metrics() if one.what.startswith("reserved slots in use, conv")]
    yield from sorted(taken, key=lambda one: one.by != "paged")


def tiers() -> Iterator[Metric]:
    """Take what a block costs from each tier and computed anew, in turns, and where blocks of prompts are found."""
    block = torch.randn(BLOCK)
    digest = hashlib.sha256(b"block").digest()
    with ExitStack() as stack:
        loads: dict[str, Callable[[], object]] = {"gpu, here a copy in memory": block.clone}
        host = {digest: block.clone()}
        loads["host"] = lambda: host[digest].clone()
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        for name, url in (("disk", Path(folder).as_uri()), ("object store in this process", "memory://claims")):
            tier = FileTier(url, 4)
            tier.store(digest, block)
            loads[name] = lambda tier=tier: tier.load(digest)
        for name, options in _object_store(stack):
            tier = FileTier("s3://claims/kv", 4, **options)
            tier.store(digest, block)
            loads[name] = lambda tier=tier: tier.load(digest)
        loads["computed anew, one layer"] = _layer()
        times = microseconds(*loads.values(), passes=5)
    for name, value in zip(loads, times, strict=True):
        yield Metric(what="a block of 128 KiB: taking it", by=name, value=value, unit="CPU µs")
    yield from (one for one in kv_metrics.metrics() if "by tier" in one.what)


def _layer() -> Callable[[], object]:
    """Return what computes such a block: the layer before it, as wide as its heads, over its tokens."""
    _, tokens, heads, width = BLOCK
    layer = nn.TransformerEncoderLayer(heads * width, heads, 4 * heads * width, batch_first=True).eval()
    x = torch.randn(1, tokens, heads * width)
    return torch.no_grad()(lambda: layer(x))


def _object_store(stack: ExitStack) -> Iterator[tuple[str, dict[str, Any]]]:
    """Have an S3 server on this machine, where its package is installed."""
    if not all(find_spec(name) for name in ("boto3", "moto", "s3fs")):
        return
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    stack.callback(server.stop)
    address = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    secret = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=address, **secret).create_bucket(Bucket="claims")
    yield "object store, S3 on loopback", {"endpoint_url": address, "key": "a", "secret": "b"}


def launches() -> Iterator[Metric]:
    """Count what a call of each mixture of experts launches, by the number of experts."""
    taken = [one for one in moe_metrics.metrics() if one.what == moe_metrics.LAUNCHED]
    yield from sorted(taken, key=lambda one: one.by != "block-sparse")


def ranks() -> Iterator[Metric]:
    """Count how unevenly experts' ranks are loaded, and how long attention's ranks wait, by the number of batches.

    Attention's ranks hand tokens to experts' ranks and wait for them, layer after layer. With several micro-batches one
    is with the experts while another is with attention. A step of attention takes as long as one of balanced experts.
    """
    for name, share in moe_metrics.ROUTINGS.items():
        load = _packed([share(expert) for expert in range(EXPERTS)])
        experts = max(load) * RANKS / sum(load)
        for batches in (1, 2, 3):
            busy = 100 * utilisation(batches, layers=32, attention=1.0, experts=experts, transfer=0.25)
            what = "attention's ranks at work"
            yield Metric(what=what, by=f"{name}, micro-batches: {batches}", value=busy, unit="%")
    for name, share in moe_metrics.ROUTINGS.items():
        shares = [share(expert) for expert in range(EXPERTS)]
        for placed, load in (("in order", _in_order(shares)), ("the heaviest to the emptiest rank", _packed(shares))):
            excess = max(load) * RANKS / sum(load)
            what = f"{EXPERTS} experts on {RANKS} ranks: the fullest against the mean"
            yield Metric(what=what, by=f"{name}, {placed}", value=excess, unit="×")


def _in_order(shares: Sequence[float]) -> list[float]:
    each = len(shares) // RANKS
    return [sum(shares[rank * each : (rank + 1) * each]) for rank in range(RANKS)]


def _packed(shares: Sequence[float]) -> list[float]:
    load, left = [0.0] * RANKS, [len(shares) // RANKS] * RANKS
    for share in sorted(shares, reverse=True):
        rank = min((rank for rank in range(RANKS) if left[rank]), key=load.__getitem__)
        load[rank] += share
        left[rank] -= 1
    return load


def utilisation(batches: int, *, layers: int, attention: float, experts: float, transfer: float) -> float:
    """Return the share of time that attention's ranks work, of a batch in `batches` parts that take turns.

    Times are those of a whole batch; a part takes its share of each. The schedule is MegaScale-Infer's ping-pong.
    """
    attend, expert, move = attention / batches, experts / batches, transfer / batches
    free_attention = free_experts = 0.0
    ready = [0.0] * batches
    for _ in range(layers):
        for part in range(batches):
            free_attention = max(free_attention, ready[part]) + attend
            free_experts = max(free_experts, free_attention + move) + expert
            ready[part] = free_experts + move
    return layers * attention / max(ready)


CLAIMS = (
    Claim(
        "paged",
        "of memory reserved for the longest request 20 to 38 % is in use; of pages, 96 %",
        "https://arxiv.org/abs/2309.06180",
        paged,
        ("paged", "padded to 4,096 tokens"),
    ),
    Claim(
        "tiers",
        "a hit in a lower tier costs less than computing anew",
        "https://arxiv.org/abs/2407.00079",
        tiers,
        ("host", "disk", "object store in this process", "computed anew, one layer"),
    ),
    Claim(
        "launches",
        "block-sparse experts take one launch, whatever their number",
        "https://arxiv.org/abs/2211.15841",
        launches,
        ("block-sparse",),
    ),
    Claim(
        "ranks",
        "with ping-pong micro-batches attention's ranks do not wait for experts'; experts' loads must be even",
        "https://arxiv.org/abs/2504.02263",
        ranks,
        ("balanced, micro-batches: 1", "balanced, micro-batches: 3", "Zipf, micro-batches: 3"),
        twin="loads and a schedule, counted; no rank runs",
    ),
)
