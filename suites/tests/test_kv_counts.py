"""What the KV cache counts: traces worked out by hand, files after a restart, keys that are all but equal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from eagerdiff.compiled.kv_cache import open_engine
from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.checked import BreakableFiles
from eagerdiff.compiled.kv_cache.file_tier import FileTier
from eagerdiff.compiled.kv_cache.hashing import Key, digest
from eagerdiff.compiled.kv_cache.pool import BlockPool
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import Tiers
from eagerdiff.compiled.kv_cache.transfers import Transfers
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.mutation.faults import faults_of, plant
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.reference.kv_counts import count_blocks
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import cases, inputs
from eagerdiff.strategies.kv_cache.trace import ALIKE_KEYS
from eagerdiff.suites.kv_cache import OPERATOR
from eagerdiff.suites.tests.examples import FEW

LIKE = torch.empty(2, 0, 1, 1)
PROMPT = tuple(range(9))
"""Two full blocks of four, and a token."""


def counts(*steps: tuple[Any, ...], num_blocks: int = 3, tiers: str = "none", tier_blocks: int = 1) -> list[list[int]]:
    options: dict[str, Any] = {
        "block_size": 4,
        "num_blocks": num_blocks,
        "tiers": tiers,
        "tier_blocks": tier_blocks,
        "layout": "hnd",
    }
    return count_blocks(steps, **options, prefix_caching=True, seed=0).tolist()


def add(request: int, tokens: Sequence[int] = PROMPT) -> tuple[Any, ...]:
    return "add", request, tokens, (), torch.empty(0)


def test_the_end_of_a_prefix_is_evicted_before_its_start() -> None:
    assert counts(add(0), ("free", 0), ("evict", 2), add(1)) == [
        # computed, sought, found, evicted, idle, in flight, failed, lost
        [9, 2, 0, 0, 0, 0, 0, 0],
        [9, 2, 0, 0, 3, 0, 0, 0],
        [9, 2, 0, 1, 3, 0, 0, 0],
        [14, 4, 1, 1, 0, 0, 0, 0],
    ]


def test_what_the_pool_loses_a_tier_gives_back() -> None:
    steps = (add(0), ("free", 0), ("end_transfers", 9), ("evict", 3), add(1))
    rows = counts(*steps, tiers="host", tier_blocks=2)
    computed_loaded_moved = [[row[0], *row[8:]] for row in rows]
    assert computed_loaded_moved == [[9, 0, 0], [9, 0, 0], [9, 0, 2], [9, 0, 2], [10, 2, 4]]


def test_a_failed_copy_is_counted_and_computed_again() -> None:
    rows = counts(add(0), ("fail_transfer",), ("free", 0), ("end_transfers", 9), tiers="host", tier_blocks=2)
    assert rows[-1][5:] == [0, 1, 0, 0, 1]


def test_after_a_restart_memory_is_gone_and_files_are_there() -> None:
    steps = (add(0), ("free", 0), ("end_transfers", 9), ("restart",), add(1))
    host, disk = (counts(*steps, tiers=tiers, tier_blocks=2) for tiers in ("host", "host_disk"))
    assert host[3] == [0, 0, 0, 0, 3, 0, 0, 0, 0, 0]
    assert host[4] == [9, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert disk[4] == [9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]  # the host had room: nothing was written back
    rows = counts(add(0), ("free", 0), ("end_transfers", 9), ("restart",), add(1), tiers="disk", tier_blocks=2)
    assert rows[4] == [1, 2, 0, 0, 0, 0, 0, 0, 2, 2]


def block(value: float) -> Tensor:
    return torch.full((2, 1, 1, 1), value)


def test_a_tier_that_is_opened_again_has_its_files_in_the_order_in_which_they_were_stored(tmp_path: Path) -> None:
    tier = FileTier(tmp_path.as_uri(), 2)
    for name in (b"c", b"a", b"b"):
        tier.store(name, block(name[0]))
    tier.load(b"c")
    tier.remove(b"a")
    (tmp_path / "somebody's").write_text("own")
    again = FileTier(tmp_path.as_uri(), 1)
    assert [name in again for name in (b"a", b"b", b"c")] == [False, True, True]
    assert again.excess() == b"c"
    assert float(again.load(b"b")[0]) == ord("b")
    again.store(b"d", block(0))
    third = FileTier(tmp_path.as_uri(), 1)
    assert [*third._known] == [b"c", b"b", b"d"]
    assert (tmp_path / "somebody's").exists()


def test_a_write_that_broke_off_is_not_found_after_a_restart(tmp_path: Path) -> None:
    tier, files = FileTier(tmp_path.as_uri(), 2), BreakableFiles()
    tier.files = files
    files.breaks = 1
    with pytest.raises(OSError, match="no space"):
        tier.store(b"a", block(1))
    assert b"a" not in FileTier(tmp_path.as_uri(), 2)
    assert list(tmp_path.iterdir()) == []


def test_requests_go_on_after_a_restart() -> None:
    case = KVCacheCase(tiers="host_disk", steps=(("add", 0, 9, 0), ("restart", 0, 0, 0), ("append", 0, 3, 0)))
    made = inputs(case, "cpu")
    options = {name: value for name, value in made.options.items() if name != "counted"}
    with open_engine(**options) as engine:
        for name, *arguments in made.args[0]:
            engine.step(name, *arguments)
        assert torch.equal(engine.reads[-1], engine.computed[0])
        assert engine.counts()[0] == 14


def test_between_two_chunks_every_block_that_the_next_one_reads_is_there() -> None:
    cache = KVCache(BlockStorage(8, 2, LIKE), BlockPool(8), Tiers(()), Transfers(), window=3)
    cache.admit(0, range(9))
    for start in range(9):
        positions, _, _ = cache.slots(0)
        assert positions.tolist() == list(range(max(0, start - 3), start))
        cache.write(0, torch.full((2, 1, 1, 1), float(start)))


def test_keys_that_are_all_but_equal_have_names_of_their_own() -> None:
    keys: list[tuple[Key, ...]] = [*ALIKE_KEYS, ("a", 1), ("a", "1"), ("a1",), (11,), (1, 1)]
    assert len({digest(b"", (1, 2), one) for one in keys}) == len(keys)
    joined = [(1, 23), (12, 3), (23, 1), (1 + 2**16, 23), (1 + 2**32, 23)]
    assert len({digest(b"", tokens, ()) for tokens in joined}) == len(joined)


@pytest.mark.parametrize(
    "name", ["kv-head-freed-first", "kv-keys-joined", pytest.param("kv-restart-forgets-files", marks=pytest.mark.slow)]
)
def test_a_planted_fault_is_found_by_a_generated_case(worker_pool: WorkerPool, tmp_path: Path, name: str) -> None:
    """Three stand for all here: `eagerdiff selfcheck` searches for every one of them."""
    fault = next(fault for fault in faults_of(OPERATOR) if fault.id == name)
    found: list[str] = []
    task = Task(operator="kv_cache", implementation="blocks", workload=[], source_root=str(plant(fault, tmp_path)))

    @given(cases())
    @settings(FEW, max_examples=400)
    def search(case: KVCacheCase) -> None:
        if not found and (failure := worker.run(task.with_cases(Workload.of(case))).first_failure):
            found.append(failure.decided_by)

    with Worker("cpu", Limits(case_seconds=20), worker_pool) as worker:
        search()
    assert found
