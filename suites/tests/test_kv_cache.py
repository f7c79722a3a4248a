"""The KV cache: every request's cache is bitwise that of a reference which shares nothing, after every step."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from eagerdiff.compiled.kv_cache import open_engine, replay
from eagerdiff.compiled.kv_cache.engine import Engine
from eagerdiff.compiled.kv_cache.file_tier import FileTier
from eagerdiff.compiled.kv_cache.hashing import bucket, digest
from eagerdiff.compiled.kv_cache.invariants import BrokenInvariant, check
from eagerdiff.compiled.kv_cache.pool import BlockPool, OutOfBlocks
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import HostTier, Tier, Tiers
from eagerdiff.harness.mutation.faults import faults_of
from eagerdiff.reference.kv_cache import kv_cache
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import cases, cases_like, inputs
from eagerdiff.strategies.kv_cache.drawing import steps
from eagerdiff.strategies.kv_cache.trace import Trace
from eagerdiff.suites.kv_cache import OPERATOR
from eagerdiff.suites.tests.examples import FEW

FAULTS = faults_of(OPERATOR)


def options(case: KVCacheCase) -> dict[str, Any]:
    """What a cache is opened with, besides the trace."""
    return {name: value for name, value in inputs(case, "cpu").options.items() if name != "counted"}


class Caches(RuleBasedStateMachine):
    """Drive the engine and the reference through one trace, a step at a time."""

    @initialize(case=cases())
    def open(self, case: KVCacheCase) -> None:
        self.options = options(case)
        self.trace = Trace(case, "cpu")
        self.played: list[tuple[Any, ...]] = []
        self.stack = open_engine(**self.options, below=self.below())
        self.engine: Engine = self.stack.__enter__()
        self.ghost: dict[bytes, torch.Tensor] = {}

    def below(self) -> Sequence[Tier]:
        """Return tiers of one's own."""
        return ()

    @rule(step=steps())
    def play(self, step: Any) -> None:
        self.trace.play(step)
        for name, *arguments in self.trace.steps[len(self.played) :]:
            self.engine.step(name, *arguments)
            check(self.engine.cache, self.engine.computed, self.ghost)
        self.played = [*self.trace.steps]

    @precondition(lambda self: self.trace.live)
    @rule()
    def every_cache_is_the_references(self) -> None:
        asked = [step for step in self.played if step[0] != "read"]
        expected = kv_cache([*asked, *(("read", request) for request in self.trace.live)], **self.options)
        for request, whole in zip(self.trace.live, expected, strict=True):
            before = len(self.engine.reads)
            self.engine.read(request)
            assert torch.equal(self.engine.reads.pop(before).float(), whole.float())

    def teardown(self) -> None:
        self.stack.__exit__(None, None, None)


TestCaches = Caches.TestCase
TestCaches.settings = settings(FEW, max_examples=40, stateful_step_count=40)


@given(cases())
@settings(FEW, max_examples=150)
def test_a_trace_reads_what_the_reference_reads(case: KVCacheCase) -> None:
    given_inputs = inputs(case, "cpu")
    expected = kv_cache(*given_inputs.args, **given_inputs.options)
    got = replay(*given_inputs.args, **given_inputs.options)
    assert [tensor.float().tolist() for tensor in got] == [tensor.float().tolist() for tensor in expected]


EDGES: dict[str, Any] = {
    "a shared prefix": lambda names: names.count("add") > 1,
    "a fork": lambda names: "fork" in names,
    "a rejected draft": lambda names: "rewind" in names,
    "a preempted request": lambda names: "preempt" in names,
    "a failed copy": lambda names: "fail_transfer" in names,
    "a write that breaks off": lambda names: "fail_store" in names,
    "reused blocks": lambda names: "evict" in names,
    "a restart": lambda names: "restart" in names,
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    find(
        cases(),
        lambda case: EDGES[edge]([step[0] for step in inputs(case, "cpu").args[0]]),
        settings=settings(FEW, max_examples=2000),
    )


@given(st.data())
@FEW
def test_cases_alike_share_the_static_key(data: st.DataObject) -> None:
    case = data.draw(cases())
    assert data.draw(cases_like(case)).static_key == case.static_key
    assert KVCacheCase.from_yaml(case.to_yaml()) == case


def test_a_window_and_a_budget_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="use one of them"):
        KVCacheCase(window=3, budget=2)


def test_a_name_stands_for_tokens_parents_and_keys() -> None:
    names = {
        digest(b"", (1, 2), ()),
        digest(b"", (2, 1), ()),
        digest(b"x", (1, 2), ()),
        digest(b"", (1, 2), ("adapter",)),
        digest(b"", (1, 2), ("adapt", "er")),
        digest(b"", (1,), ("adapter",)),
    }
    assert len(names) == 6
    assert all(bucket(name, 3) < 8 for name in names)


def test_a_block_in_two_tables_is_freed_by_the_last() -> None:
    pool = BlockPool(2)
    block = pool.share(pool.take())
    pool.release(block)
    assert pool.idle == 1
    pool.release(block)
    assert pool.idle == 2
    with pytest.raises(AssertionError, match="more often"):
        pool.release(block)


def test_the_least_recently_used_block_is_reused_first_and_nameless_ones_before_it() -> None:
    pool = BlockPool(3)
    first, second, third = (pool.take() for _ in range(3))
    pool.publish(second, bytes(32))
    pool.publish(first, bytes([7] * 32))
    for block in (second, first, third):
        pool.release(block)
    assert [pool.take() for _ in range(3)] == [third, second, first]
    with pytest.raises(OutOfBlocks):
        pool.take()
    assert pool.find(bytes(32)) is None


@pytest.mark.parametrize("layout", ["kv_first", "block_first", "hnd"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float8_e4m3fn], ids=str)
def test_a_round_trip_through_each_tier_is_bitwise(layout: Any, dtype: torch.dtype, tmp_path: Path) -> None:
    kv = torch.randint(16, (2, 5, 3, 4)).float().to(dtype)
    storage = BlockStorage(2, 5, kv[:, :0], layout)
    storage.write(1, kv)
    for tier in (HostTier(1), FileTier(tmp_path.as_uri(), 1), FileTier(f"memory://{tmp_path}", 1)):
        tier.store(b"name", storage.read(1))
        assert torch.equal(tier.load(b"name").float(), kv.float())


def test_what_a_full_tier_drops_goes_to_the_next_and_off_the_last(tmp_path: Path) -> None:
    tiers = Tiers((HostTier(1), FileTier(tmp_path.as_uri(), 1)))
    for name in (b"a", b"b", b"c"):
        tiers.store(name, torch.full((2, 1, 1, 1), float(name[0])))
    assert [name in tiers for name in (b"a", b"b", b"c")] == [False, True, True]
    assert float(tiers.load(b"b")[0]) == ord("b")
    assert b"b" in tiers.tiers[0]
    with pytest.raises(FileNotFoundError):
        tiers.load(b"a")


def test_a_broken_reference_count_is_noticed() -> None:
    case = KVCacheCase(steps=(("add", 0, 10, 0),))
    with open_engine(**options(case)) as engine:
        trace = Trace(case, "cpu")
        trace.play(case.steps[0])
        engine.step(*trace.steps[0])
        check(engine.cache, engine.computed, {})
        engine.cache.pool.blocks[0].references += 1
        with pytest.raises(BrokenInvariant, match="references"):
            check(engine.cache, engine.computed, {})


def test_faults_are_many_and_distinct() -> None:
    assert len(FAULTS) >= 20
    assert len({(fault.file, fault.text, fault.replacement) for fault in FAULTS}) == len(FAULTS)
