"""Other projects' KV cache managers: a right one passes, each fault is caught; theirs, where their source is there."""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from eagerdiff import Status, Workload
from eagerdiff.compiled.adapters.kv_cache import IMPLEMENTATIONS, MANAGERS
from eagerdiff.compiled.adapters.kv_cache.engine import replay_on
from eagerdiff.compiled.adapters.kv_cache.lmcache import WAITS
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import roll
from eagerdiff.suites.benchmarks import managing
from eagerdiff.suites.kv_cache import OPERATOR
from eagerdiff.suites.tests import lmcache_faults
from eagerdiff.suites.tests.managers import FAULTY, Blocks, opened

CACHING = {**managing.STATICS, "prefix_caching": (True,)}
Patch = Callable[[pytest.MonkeyPatch], None]


KNOWN = {
    "mini_sglang.radix": ("and somebody holds them",),
    "lmcache.tiers": (
        "that is cut", "where a file is gone", "after a write broke off", "after a file was lost",
        "two chunks have one file", WAITS,
    ),
}  # fmt: skip
"""What each does wrong as it is: docs/kv-managers.md."""


def known(name: str, wrong: str) -> bool:
    """Return whether a manager's failure is one that is known."""
    return any(what in wrong for what in KNOWN.get(name, ()))


def found(replay: Callable[..., Any], traces: int, name: str = "") -> str | None:
    """Judge traces until one is wrong, in another way than is known; return what is wrong with it."""
    statics = {**CACHING, **(MANAGERS[name].statics if name else {})}
    for seed in range(traces):
        case = roll(Random(seed), statics)
        if name and MANAGERS[name].supports(case) is not None:
            continue
        wrong = managing.judge(case, replay)
        if wrong is not None and not known(name, wrong):
            return wrong
    return None


def test_a_right_manager_keeps_its_promises() -> None:
    assert opened(Blocks).idle() == 4
    assert not found(replay_on(lambda blocks, size, caching: Blocks(blocks, size)), 150)


@pytest.mark.parametrize("kind", FAULTY, ids=lambda kind: kind.__name__)
def test_a_faulty_manager_is_caught(kind: type[Blocks]) -> None:
    assert found(replay_on(lambda blocks, size, caching: kind(blocks, size)), 300)


def test_what_moves_nothing_in_a_manager_is_taken_and_the_rest_is_refused_with_a_reason() -> None:
    for one in IMPLEMENTATIONS:
        assert one.supports(KVCacheCase(tiers="host_disk", window=3, hash_bits=1)) is None
        assert "promise of ours" in str(one.supports(KVCacheCase(counted=True)))
        assert "importance" in str(one.supports(KVCacheCase(budget=2)))
        assert one in OPERATOR.implementations


@pytest.mark.parametrize("name", MANAGERS)
def test_a_manager_whose_source_is_not_there_is_skipped_with_the_reason(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(MANAGERS[name].tree.variable, raising=False)
    reason = MANAGERS[name].tree.unmet()
    assert reason is None or MANAGERS[name].tree.variable in reason


def test_the_command_adds_up_and_keeps_the_smallest_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = MANAGERS["vllm.blocks"]
    wrong = replay_on(lambda blocks, size, caching: FAULTY[0](blocks, size))
    monkeypatch.setattr(type(adapter), "replay", lambda self: wrong)
    first, second = (managing.count(adapter, "none", range(start, start + 40)) for start in (0, 40))
    both = managing.add(first, second)
    assert both.traces == 80
    assert sum(both.findings.values()) == sum((*first.findings.values(), *second.findings.values())) > 0
    case = KVCacheCase.from_yaml(next(iter(both.smallest.values())))
    assert managing.judge(case, wrong) in both.findings


@pytest.fixture(scope="module")
def pages() -> Any:
    """Return `docs/kv_managers.py`, as a module."""
    path = Path(__file__).resolve().parents[2] / "docs" / "kv_managers.py"
    spec = importlib.util.spec_from_file_location("kv_managers", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_says_what_was_counted_and_of_each_failure_what_it_is(pages: Any) -> None:
    record = pages.read()
    assert {one.manager for one in record.counts} == set(MANAGERS)
    assert not pages.unread(record)
    assert pages.page(pages.PAGE.read_text(), record) == pages.PAGE.read_text()
    scripts = Path(__file__).parents[1] / "corpus" / "scripts" / "third_party"
    assert all((scripts / f"{one.script}.py").is_file() for one in record.findings if one.script)


def _in(module: str) -> Any:
    return importlib.import_module(module)


def _nano() -> Any:
    return _in("nanovllm.engine.block_manager").BlockManager


def _nano_never_counts(patch: pytest.MonkeyPatch) -> None:
    manager = _nano()
    right = manager.allocate

    def allocate(self: Any, seq: Any, cached: int) -> None:
        right(self, seq, cached)
        for block in seq.block_table[:cached]:
            self.blocks[block].ref_count = 1

    patch.setattr(manager, "allocate", allocate)


def _nano_hashes_no_parent(patch: pytest.MonkeyPatch) -> None:
    right = _nano().compute_hash
    patch.setattr(_nano(), "compute_hash", classmethod(lambda cls, tokens, prefix=-1: right(tokens)))


def _nano_frees_first_first(patch: pytest.MonkeyPatch) -> None:
    manager = _nano()
    right = manager.deallocate

    def deallocate(self: Any, seq: Any) -> None:
        seq.block_table.reverse()
        right(self, seq)

    patch.setattr(manager, "deallocate", deallocate)


def _nano_finds_the_last(patch: pytest.MonkeyPatch) -> None:
    right = _nano().can_allocate

    def can_allocate(self: Any, seq: Any) -> int:
        seq.num_tokens += 1
        cached = right(self, seq)
        seq.num_tokens -= 1
        return cached

    patch.setattr(_nano(), "can_allocate", can_allocate)


def _vllm(name: str) -> Any:
    return getattr(_in("vllm.v1.core.block_pool"), name)


def _vllm_touches_nothing(patch: pytest.MonkeyPatch) -> None:
    def touch(self: Any, blocks: Any) -> None:
        for block in blocks:
            block.ref_cnt += 1

    patch.setattr(_vllm("BlockPool"), "touch", touch)


def _vllm_keeps_hashes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_vllm("BlockPool"), "_maybe_evict_cached_block", lambda self, block: False)


def _vllm_hashes_no_parent(patch: pytest.MonkeyPatch) -> None:
    keys = _in("vllm.v1.core.kv_cache_utils")
    right = keys.hash_block_tokens
    patch.setattr(keys, "hash_block_tokens", lambda function, parent, *rest: right(function, None, *rest))


def _vllm_hashes_no_salt(patch: pytest.MonkeyPatch) -> None:
    keys = _in("vllm.v1.core.kv_cache_utils")
    patch.setattr(keys, "generate_block_hash_extra_keys", lambda *arguments: (None, 0))


def _vllm_forgets_to_free(patch: pytest.MonkeyPatch) -> None:
    right = _vllm("BlockPool").free_blocks
    patch.setattr(_vllm("BlockPool"), "free_blocks", lambda self, blocks: right(self, [*blocks][1:]))


def _radix() -> Any:
    return _in("minisgl.kvcache.radix_cache").RadixPrefixCache


def _mini_locks_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_radix(), "lock_handle", lambda self, handle, unlock=False: None)


def _mini_locks_the_parents(patch: pytest.MonkeyPatch) -> None:
    """As it was before its commit 8827b0f."""

    def lock_handle(self: Any, handle: Any, unlock: bool = False) -> None:
        node = handle.node
        while not node.is_root():
            node = node.parent
            node.ref_count += -1 if unlock else 1

    patch.setattr(_radix(), "lock_handle", lock_handle)


def _mini_matches_one_too_many(patch: pytest.MonkeyPatch) -> None:
    right = _in("minisgl.kvcache.radix_cache").RadixTreeNode.get_match_len
    node = _in("minisgl.kvcache.radix_cache").RadixTreeNode
    patch.setattr(node, "get_match_len", lambda self, ids: min(right(self, ids) + 1, self.length, len(ids)))


def _mini_never_clones(patch: pytest.MonkeyPatch) -> None:
    """As it was before its commit 94fe255: the tree holds a view of the request's row."""
    patch.setattr(torch.Tensor, "clone", lambda self: self)


def _mini_evicts_tokens_for_pages(patch: pytest.MonkeyPatch) -> None:
    """As it was before its commit dae78f6: so many tokens are evicted as pages are needed, and each is a page then."""
    manager = _in("minisgl.scheduler.cache").CacheManager

    def allocate(self: Any, pages: int) -> Any:
        if pages > (free := len(self.free_slots)):
            self.free_slots = torch.cat([self.free_slots, self.prefix_cache.evict(pages - free)])
        allocated, self.free_slots = self.free_slots[:pages], self.free_slots[pages:]
        return allocated

    patch.setattr(manager, "_allocate", allocate)


def _tree_core() -> Any:
    return _in("sglang.srt.mem_cache.unified_cache.unified_tree_core").UnifiedTreeCore


def _cache() -> Any:
    return sys.modules["sglang.srt.mem_cache.unified_radix_cache"].UnifiedRadixCache


def _sglang_locks_nothing(patch: pytest.MonkeyPatch) -> None:
    base = sys.modules["sglang.srt.mem_cache.base_prefix_cache"]
    patch.setattr(_tree_core(), "inc_lock_ref", lambda self, *rest: base.IncLockRefResult())
    patch.setattr(_tree_core(), "dec_lock_ref", lambda self, *rest: base.DecLockRefResult())


def _sglang_matches_one_too_many(patch: pytest.MonkeyPatch) -> None:
    key = sys.modules["sglang.srt.mem_cache.radix_cache"].RadixKey
    right = key.match_at
    patch.setattr(
        key,
        "match_at",
        lambda self, other, offset, page_size=1: min(
            right(self, other, offset, page_size) + page_size, len(self), len(other) - offset
        ),
    )


def _sglang_frees_no_row(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_cache(), "free_kv_row", lambda self, kv, ranges: None)


def _sglang_forgets_keys(patch: pytest.MonkeyPatch) -> None:
    key = sys.modules["sglang.srt.mem_cache.radix_cache"].RadixKey
    right = key.__init__

    def init(self: Any, ids: Any, extra_key: Any = None, *rest: Any, cache_salt: Any = None, **options: Any) -> None:
        right(self, ids, None, *rest, **options)

    patch.setattr(key, "__init__", init)


def _nano_keeps_names(patch: pytest.MonkeyPatch) -> None:
    """As it was before its commit f64d821: a block that is reused stays under its old hash (its issue 163)."""

    def allocate(self: Any) -> int:
        block = self.free_block_ids.popleft()
        self.blocks[block].reset()
        self.used_block_ids.add(block)
        return block

    patch.setattr(_nano(), "_allocate_block", allocate)


FAULTS: dict[str, tuple[Patch, ...]] = {
    "nano_vllm.blocks": (
        _nano_never_counts, _nano_hashes_no_parent, _nano_frees_first_first, _nano_finds_the_last, _nano_keeps_names,
    ),
    "vllm.blocks": (
        _vllm_touches_nothing, _vllm_keeps_hashes, _vllm_hashes_no_parent, _vllm_hashes_no_salt, _vllm_forgets_to_free,
    ),
    "mini_sglang.radix": (
        _mini_locks_nothing, _mini_locks_the_parents, _mini_matches_one_too_many, _mini_never_clones,
        _mini_evicts_tokens_for_pages,
    ),
    "sglang.radix": (
        _sglang_locks_nothing, _sglang_matches_one_too_many, _sglang_frees_no_row, _sglang_forgets_keys,
    ),
    "lmcache.tiers": tuple(lmcache_faults.FAULTS),
}  # fmt: skip


def test_a_manager_whose_source_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EAGERDIFF_NANO_VLLM", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        managing.main(["nano_vllm.blocks", "--revision", "none", "--out", str(tmp_path / "counts.json")])
    assert ended.value.code == 2
    assert "error: EAGERDIFF_NANO_VLLM=" in capsys.readouterr().err.splitlines()[-1]


def replay_of(name: str) -> Callable[..., Any]:
    """Load a manager, or skip."""
    if (reason := MANAGERS[name].tree.unmet()) is not None:
        pytest.skip(reason)
    return MANAGERS[name].replay()


@pytest.mark.parametrize("name", MANAGERS)
def test_theirs_keep_their_promises_but_for_what_is_known(name: str) -> None:
    replay = replay_of(name)
    assert found(replay, 150, name) is None


@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name in FAULTS for fault in FAULTS[name]])
def test_a_fault_in_theirs_is_caught(name: str, fault: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = replay_of(name)
    fault(monkeypatch)
    assert found(replay, 300, name)


@pytest.mark.parametrize("name", MANAGERS)
def test_theirs_are_judged_as_every_implementation_is(name: str) -> None:
    replay_of(name)
    device = parse("cpu")
    device.activate()
    (one,) = [one for one in IMPLEMENTATIONS if one.name == name]
    case = KVCacheCase(
        block_size=2, tiers="host_disk", steps=(("add", 0, 9, 0), ("append", 0, 3, 0), ("preempt", 0, 0, 0))
    )
    (verdict,) = execute(OPERATOR, one, Workload.of(case), device).verdicts
    if name == "mini_sglang.radix":
        assert known(name, verdict.describe())
    else:
        assert verdict.status == Status.PASSED
