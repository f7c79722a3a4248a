"""The KV cache over a store of objects: a server that speaks S3, its ends and its refusals."""

import itertools
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test
from torch import Tensor

from eagerdiff.compiled.kv_cache import open_engine, replay
from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.file_tier import FileTier, NoStore
from eagerdiff.compiled.kv_cache.pool import BlockPool
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import HostTier, Tier, Tiers
from eagerdiff.compiled.kv_cache.transfers import Transfers
from eagerdiff.reference.kv_cache import kv_cache
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import cases, inputs
from eagerdiff.suites.tests.object_store import ObjectStore
from eagerdiff.suites.tests.test_kv_cache import Caches

pytest.importorskip("s3fs", reason="tiers on S3 need s3fs: pip install 'eagerdiff[dev]'")
pytest.importorskip("moto.server", reason="a server that speaks S3 is moto's: pip install 'eagerdiff[dev]'")

FEW = settings(max_examples=25, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
SERIAL = itertools.count()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Generator[ObjectStore]:
    with ObjectStore(tmp_path_factory.mktemp("store")) as started:
        yield started


@pytest.fixture
def mortal(tmp_path: Path) -> Generator[ObjectStore]:
    """A store of one test's own."""
    with ObjectStore(tmp_path) as started:
        yield started


def tier_on(store: ObjectStore, capacity: int = 3) -> FileTier:
    return FileTier(f"s3://blocks/{next(SERIAL)}", capacity, **store.options)


def block(value: float) -> Tensor:
    return torch.full((2, 1, 1, 1), value)


def cache_over(*tiers: HostTier | FileTier) -> KVCache:
    """A cache of three blocks of one token each."""
    storage = BlockStorage(3, 1, torch.empty(2, 0, 1, 1))
    return KVCache(storage, BlockPool(3), Tiers(tiers), Transfers())


def test_a_round_trip_is_bitwise_and_what_is_dropped_is_no_longer_there(store: ObjectStore) -> None:
    tier = tier_on(store, 1)
    kv = torch.randint(16, (2, 5, 3, 4)).to(torch.float8_e4m3fn)
    tier.store(b"name", kv)
    assert torch.equal(tier.load(b"name").float(), kv.float())
    assert tier.excess() is None
    tier.store(b"other", kv)
    assert tier.excess() == b"name"
    tier.remove(b"name")
    assert b"name" not in tier
    assert [Path(path).name for path in tier.files.ls(tier._root, refresh=True)] == [f"{2:016x}-{b'other'.hex()}"]


@given(cases())
@FEW
def test_a_trace_over_host_disk_and_s3_reads_what_the_reference_reads(store: ObjectStore, case: KVCacheCase) -> None:
    over = case.model_copy(update={"tiers": "host_disk", "tier_blocks": 1, "prefix_caching": True, "counted": False})
    given_inputs = inputs(over, "cpu")
    expected = kv_cache(*given_inputs.args, **given_inputs.options)
    got = replay(*given_inputs.args, **given_inputs.options, below=[tier_on(store)])
    assert [tensor.float().tolist() for tensor in got] == [tensor.float().tolist() for tensor in expected]


class CachesOverS3(Caches):
    """The engine and the reference, a step at a time, with the server below all other tiers."""

    store: ObjectStore
    moved = 0
    """Bytes into and out of the store."""

    def below(self) -> Sequence[Tier]:
        return [tier_on(self.store)]

    def teardown(self) -> None:
        CachesOverS3.moved += self.engine.cache.tiers.moved["s3"]
        super().teardown()


def test_a_cache_over_s3_is_the_references_after_each_step(store: ObjectStore) -> None:
    CachesOverS3.store = store
    run_state_machine_as_test(CachesOverS3, settings=settings(FEW, max_examples=10, stateful_step_count=40))
    assert CachesOverS3.moved > 0


def test_blocks_come_back_from_s3_through_the_engine(store: ObjectStore) -> None:
    """The drawn traces above would prove little if none of them reached the store."""
    case = KVCacheCase(tiers="host_disk", tier_blocks=1, block_size=1, num_blocks=8)
    options = {name: value for name, value in inputs(case, "cpu").options.items() if name != "counted"}
    kv = torch.arange(16.0).view(2, 8, 1, 1).expand(2, 8, 1, 4)
    with open_engine(**options, below=[tier_on(store, 8)]) as engine:
        engine.add(0, range(6), (), kv[:, :6])
        engine.free(0)
        engine.end_transfers(100)
        engine.evict(8)
        engine.add(1, range(7), (), kv[:, :7])
        engine.read(1)
        assert torch.equal(engine.reads[0], kv[:, :7])
        assert engine.cache.tiers.hits["s3"] > 0
        assert engine.cache.tiers.moved["s3"] > 0


def test_what_s3_has_is_promoted_and_what_the_disk_drops_is_written_back(store: ObjectStore, tmp_path: Path) -> None:
    tiers = Tiers((HostTier(1), FileTier(tmp_path.as_uri(), 1), tier_on(store, 1)))
    for name in (b"a", b"b", b"c"):
        tiers.store(name, block(name[0]))
    assert [[name in tier for name in (b"a", b"b", b"c")] for tier in tiers.tiers] == [
        [False, False, True],
        [False, True, False],
        [True, False, False],
    ]
    assert tiers.load(b"a").flatten()[0] == ord("a")
    assert b"a" in tiers.tiers[0]
    assert tiers.hits == {"host": 0, "file": 0, "s3": 1}
    assert tiers.lost == 0


@pytest.mark.parametrize("how", ["stop", "refuse"])
def test_a_store_that_fails_is_a_failed_transfer_and_nothing_of_it_is_seen(mortal: ObjectStore, how: str) -> None:
    tier = tier_on(mortal)
    cache = cache_over(tier)
    cache.admit(0, [1, 2])
    cache.write(0, torch.stack([block(1), block(2)], dim=1).flatten(1, 2))
    getattr(mortal, how)()
    cache.free(0)
    assert len(cache.transfers) > 0
    cache.transfers.end()
    assert cache.transfers.failed > 0
    assert not any(cache.requests)
    assert list(tier._known) == []
    assert cache.pool.idle == 3


@pytest.mark.parametrize("how", ["stop", "refuse"])
def test_a_load_that_fails_is_computed_again(mortal: ObjectStore, how: str) -> None:
    cache = cache_over(tier_on(mortal))
    kv = torch.cat([block(1), block(2)], dim=1)
    cache.admit(0, [1, 2])
    cache.write(0, kv)
    cache.free(0)
    cache.transfers.end()
    for taken in [cache.pool.take() for _ in range(3)]:
        cache.storage.scrub(taken.index)
        cache.pool.release(taken)
    getattr(mortal, how)()
    cache.admit(1, [1, 2])
    assert list(cache.missing(1)) == [1]  # the first is on its way
    cache.transfers.end()
    assert list(cache.missing(1)) == [0, 1]
    cache.write(1, kv)
    _, blocks, slots = cache.slots(1)
    assert torch.equal(cache.storage.gather(blocks, slots), kv)


def test_an_object_that_is_gone_or_broken_is_an_os_error(store: ObjectStore) -> None:
    tier = tier_on(store)
    tier.store(b"gone", block(1))
    tier.files.rm_file(tier._known[b"gone"])
    tier.store(b"broken", block(1))
    tier.files.pipe_file(tier._known[b"broken"], b"half")
    for name in (b"gone", b"broken", b"never stored"):
        with pytest.raises(OSError, match=r"^[^\n]+$"):
            tier.load(name)
        assert name not in tier


def test_a_store_out_of_reach_is_one_line(mortal: ObjectStore) -> None:
    mortal.stop()
    with pytest.raises(NoStore, match=r"^s3://blocks/\d+ cannot be opened: [^\n]+$"):
        tier_on(mortal)


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
    with pytest.raises(NoStore, match=r"^s3://blocks needs s3fs: [^\n]+pip install 'eagerdiff\[s3\]'[^\n]+$"):
        FileTier("s3://blocks", 1)
