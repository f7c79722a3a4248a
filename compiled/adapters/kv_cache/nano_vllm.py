"""nano-vllm's block manager, as of its commit bb823b3: `EAGERDIFF_NANO_VLLM` names the folder that holds `nanovllm/`.

What it promises: `BlockManager` in nanovllm/engine/block_manager.py. `can_allocate` looks for all blocks but the last.
`hash_blocks` enters a block under its hash whether or not another is there, so the newest alone is found; free blocks
are a queue, cached or not. Before its commit f64d821 `allocate` alone looked for blocks and `may_append` entered them;
that is taken, too. It has no keys beside tokens (tokens under other keys are other tokens here), no switch for its
cache, and no drafts.
"""

import hashlib
import inspect
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from eagerdiff import SourceTree
from eagerdiff.compiled.adapters.kv_cache.manager import NoRoom, Promises, Reuse, Slots, slots_of
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require
from eagerdiff.strategies.cases.kv_cache import KVCacheCase


class _Hash:
    """Stand in for xxhash.xxh64, which may not be installed: 64 bits that depend on all bytes."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=8)

    def update(self, data: bytes) -> None:
        self._hash.update(data)

    def intdigest(self) -> int:
        return int.from_bytes(self._hash.digest(), "little")


TREE = SourceTree(
    "nanovllm",
    "EAGERDIFF_NANO_VLLM",
    ("nanovllm.engine.block_manager",),
    {"xxhash": {"xxh64": _Hash}, "nanovllm.sampling_params": {"SamplingParams": lambda: SimpleNamespace(
        temperature=1.0, max_tokens=1 << 30, ignore_eos=True)}},
)  # fmt: skip


class NanoVLLM:
    """Drive a `BlockManager` as nanovllm/engine/scheduler.py does: schedule, preempt, postprocess."""

    promises = Promises(Reuse.LEFT_FIRST, newest_only=True)

    def __init__(self, module: Any, num_blocks: int, size: int) -> None:
        self.module, self.size = module, size
        module.Sequence.block_size = size
        self.blocks = module.BlockManager(num_blocks, size)
        self.sequences: dict[int, Any] = {}
        self._keys: dict[Any, int] = {}

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        """Place a prompt, as `schedule` does with one that waits; raise NoRoom where it cannot be."""
        first = self._keys.setdefault(repr(keys), len(self._keys)) << 40
        sequence = self.module.Sequence([first + token for token in tokens])
        cached = self.blocks.can_allocate(sequence)
        if cached is False or cached == -1:
            raise NoRoom
        self.blocks.allocate(sequence, *([] if cached is True else [cached]))
        sequence.first = first
        self.sequences[request] = sequence
        return sequence.num_cached_tokens

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        """Append tokens one at a time, each with room for it, as `schedule` does; raise NoRoom where it cannot be."""
        sequence = self.sequences[request]
        missing = -(-(len(sequence) + len(tokens)) // self.size) - len(sequence.block_table)
        if missing > len(self.blocks.free_block_ids):
            raise NoRoom
        for token in tokens:
            sequence.append_token(sequence.first + token)
            assert self.blocks.can_append(sequence)
            self.blocks.may_append(sequence)

    def computed(self, request: int, count: int) -> int:
        """Enter the blocks that are full, as `postprocess` does."""
        sequence = self.sequences[request]
        sequence.num_scheduled_tokens = count - sequence.num_cached_tokens
        if hasattr(self.blocks, "hash_blocks"):
            self.blocks.hash_blocks(sequence)
        sequence.num_cached_tokens, sequence.num_scheduled_tokens = count, 0
        return count

    def rewind(self, request: int, count: int) -> bool:
        """Return False: it rejects no tokens."""
        return False

    def free(self, request: int) -> int:
        """Forget a request."""
        self.blocks.deallocate(self.sequences.pop(request))
        return 0

    def slots(self, request: int) -> Slots:
        """Return the slots of a request's block table."""
        return slots_of((*self.sequences[request].block_table,), self.size)

    def take(self, count: int) -> Sequence[int]:
        """Hand out and take back."""
        if not count:
            return []
        old = "block_id" in inspect.signature(self.blocks._allocate_block).parameters
        first = [(self.blocks.free_block_ids[index],) if old else () for index in range(count)]
        taken = [self.blocks._allocate_block(*given) for given in first]
        taken = [block if isinstance(block, int) else block.block_id for block in taken]
        for block in taken:
            self.blocks.blocks[block].ref_count = 0
            self.blocks._deallocate_block(block)
        return taken

    def idle(self) -> int:
        """Return how many blocks are in the queue."""
        return len(self.blocks.free_block_ids)

    def order(self) -> Sequence[int]:
        """Return the queue."""
        return [*self.blocks.free_block_ids]

    def audit(self) -> None:
        """Hold the set of used blocks against the queue and the reference counts."""
        used = {block.block_id for block in self.blocks.blocks if block.ref_count}
        require(used == self.blocks.used_block_ids, "used blocks are not those with references")
        require(not used & {*self.blocks.free_block_ids}, "a block with references is in the queue")


def build(module: Any) -> Callable[[int, int, bool], NanoVLLM]:
    """Return what opens a manager; its cache cannot be switched off."""
    return lambda num_blocks, size, prefix_caching: NanoVLLM(module, num_blocks, size)


def supports(case: KVCacheCase) -> str | None:
    """Return why a case is not for it."""
    return (
        "blocks of one token: `may_append` asks for a block at length 1 modulo its size"
        if case.block_size == 1
        else None
    )
