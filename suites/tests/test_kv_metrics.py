"""How the KV cache uses its memory: small traces whose figures are worked out by hand, and a leak that is seen."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

import pytest
import torch

from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.occupancy import Occupancy, occupancy
from eagerdiff.compiled.kv_cache.pool import Block, BlockPool
from eagerdiff.compiled.kv_cache.serving import Request
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import HostTier, Tiers
from eagerdiff.compiled.kv_cache.transfers import Transfers
from eagerdiff.strategies.kv_cache.serving import MAX_LENGTH, SYSTEM_PROMPTS, arrivals
from eagerdiff.suites.kv_metrics import drawn, metrics, serve

BLOCK = 16 * 2 * 4
"""Bytes of a block of 16 tokens, two float32 numbers each."""


def prompt(length: int, token: int = 1) -> Sequence[int]:
    return [token] * length


def test_what_is_shared_counts_once_as_a_slot_and_twice_as_a_token() -> None:
    cache = KVCache(BlockStorage(8, 4, torch.empty(2, 0, 1, 1)), BlockPool(8), Tiers(()), Transfers())
    for request in (0, 1):
        cache.admit(request, prompt(9))
        cache.write(request, torch.zeros(2, len(cache.missing(request)), 1, 1))
    # Two blocks of 4 are shared; each request has a block of its own with one token in it.
    assert occupancy(cache) == Occupancy(tokens=18, used=10, reserved=16, references=6, blocks=4)
    assert occupancy(cache).saved == 2
    cache.free(1)
    assert occupancy(cache) == Occupancy(tokens=9, used=9, reserved=12, references=3, blocks=3)


def test_blocks_that_wait_to_be_filled_or_copied_are_reserved_and_not_in_use() -> None:
    storage = BlockStorage(8, 4, torch.empty(2, 0, 1, 1))
    cache = KVCache(storage, BlockPool(8), Tiers((HostTier(8),)), Transfers())
    cache.admit(0, prompt(9))
    assert occupancy(cache) == Occupancy(tokens=0, used=0, reserved=12, references=3, blocks=3)
    cache.write(0, torch.zeros(2, 9, 1, 1))
    cache.free(0)
    assert occupancy(cache) == Occupancy(tokens=0, used=0, reserved=8, references=0, blocks=0)
    cache.transfers.end()
    assert occupancy(cache).reserved == 0


def test_the_shares_of_a_trace_of_one_request_are_those_worked_out_by_hand() -> None:
    usage = serve([(0, prompt(15), (7, 7))], prefix_caching=False, pool=8).usage
    # After the first step 16 tokens in a block of 16, after the second 17 in two; then it ends.
    assert [(one.used, one.reserved) for one in usage.samples] == [(16, 16), (17, 32)]
    assert usage.share == pytest.approx(100 * (1 + 17 / 32) / 2)
    assert usage.padded == pytest.approx([16 / MAX_LENGTH, 17 / MAX_LENGTH])
    assert usage.doubled == pytest.approx([16 / 17, 17 / 17])
    assert usage.saved == 0


def test_hits_and_bytes_by_tier_are_those_worked_out_by_hand() -> None:
    trace: list[Request] = [
        (0, prompt(33), (7,)),
        (10, prompt(49, 2), (7,)),
        (30, prompt(33), (7,)),
        (40, prompt(33), (7,)),
    ]
    served = serve(trace, (HostTier(8), HostTier(8, "disk")), prefix_caching=True, pool=4)
    # Looked for: 2, 3, 2 and 2 blocks. The second request takes the whole pool, so that the third loads its 2 from the
    # host, where the first left 2 and the second 3; the fourth finds 2 in the pool.
    assert served.cache.sought == 9
    assert served.found("gpu") == pytest.approx(100 * 2 / 9)
    assert served.found("host") == pytest.approx(100 * 2 / 9)
    assert served.found("disk") == 0
    assert served.cache.tiers.moved == {"host": (2 + 3 + 2) * BLOCK, "disk": 0}
    assert served.moved("host") == pytest.approx(7 * 16 * 131_072 / 2**30)


def test_sharing_saves_the_blocks_that_two_requests_begin_with() -> None:
    trace: list[Request] = [(0, prompt(33), (7, 7)), (1, prompt(33), (7,))]
    usage = serve(trace, prefix_caching=True, pool=8).usage
    assert [one.saved for one in usage.samples] == [0, 2]
    assert usage.saved == 1
    assert usage.saved_share == pytest.approx(100 * 2 / (3 + 6))


def test_more_requests_than_fit_are_preempted_and_served_to_the_end() -> None:
    trace: list[Request] = [(0, prompt(30, token), (7,) * 20) for token in range(3)]
    served = serve(trace, prefix_caching=False, pool=7)
    assert served.preemptions > 0
    assert served.cache.requests == {}
    assert served.cache.pool.idle == 7


def test_a_block_that_is_never_given_back_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    trace: list[Request] = [(20 * index, prompt(40, index), (7,) * 10) for index in range(3)]
    whole = serve(trace, prefix_caching=False, pool=64).usage.share
    release = KVCache._release

    def leak(self: KVCache, blocks: Sequence[Block]) -> None:
        release(self, blocks[1:])

    monkeypatch.setattr(KVCache, "_release", leak)
    assert serve(trace, prefix_caching=False, pool=64).usage.share < whole - 10


def test_a_trace_is_the_same_each_time_and_as_long_as_it_says() -> None:
    drawn_once = arrivals(2000, 1)
    assert drawn_once == arrivals(2000, 1) != arrivals(2000, 2)
    lengths = sorted(len(one.prompt) for one in drawn_once)
    outputs = sorted(len(one.output) for one in drawn_once)
    # The figures of the public trace, prompts cut to 4,096 tokens; a tenth is what 2,000 draws leave open.
    assert fmean(outputs) == pytest.approx(211, rel=0.1)
    assert [outputs[200], outputs[1000], outputs[1800]] == pytest.approx([54, 129, 424], rel=0.1)
    assert [lengths[1000], lengths[1800]] == pytest.approx([1020, 2734], rel=0.1)
    assert max(len(one.prompt) + len(one.output) for one in drawn_once) <= MAX_LENGTH
    assert fmean(later.at - sooner.at for sooner, later in pairwise(drawn_once)) == pytest.approx(1 / 0.3, rel=0.1)


def test_requests_share_system_prompts_and_go_on_with_conversations() -> None:
    requests = arrivals(300, 0)
    seen: list[tuple[int, ...]] = []
    going_on = 0
    for one in requests:
        going_on += any(one.prompt[: len(earlier)] == earlier for earlier in seen)
        seen.append(one.prompt + one.output)
    assert 0.2 < going_on / len(requests) < 0.6
    begun_alike = {one.prompt[: SYSTEM_PROMPTS[0]] for one in requests}
    assert len(begun_alike) < len(requests) / 2


def test_drawn_traces_are_the_same_each_time() -> None:
    assert drawn() == drawn()


def test_the_figures_stand_where_the_published_ones_do() -> None:
    found = {(one.what, one.by): one for one in metrics()}
    what = "reserved slots in use, conversations as in Azure's trace"
    assert 20 < found[what, "padded to 4,096 tokens"].value < 40
    assert found[what, "paged"].value > 96
    assert found[what, "paged, prefix cache, copies in flight"].value > 96
    by_tier = [one.value for (what, _), one in found.items() if what == "blocks of prompts found, by tier"]
    assert len(by_tier) == 4
    assert sum(by_tier) == pytest.approx(100)
    assert all(value > 1 for value in by_tier)
