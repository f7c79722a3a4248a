"""A serving engine whose memory is private to each request: every prefix that is shared comes from LMCache's tiers."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.adapters.kv_cache.engine import Rows, as_rows
from eagerdiff.compiled.adapters.kv_cache.held import Name
from eagerdiff.compiled.adapters.kv_cache.lmcache import GARBAGE, PAGE, LMCache, forget_stand_ins, room_of
from eagerdiff.compiled.adapters.kv_cache.stored import Stored
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import BrokenInvariant, require

OTHERS = 1 << 20
"""First token of other work; no prompt has it."""


@dataclass
class _Request:
    """Hold what is known of one request."""

    tokens: list[int]
    keys: tuple[Key, ...]
    right: Tensor
    """What the model computes for its tokens, [2, tokens, K · D]."""
    kv: Tensor | None = None
    """Its memory, like `right`; None where it has none."""
    saved: int = 0
    """Leading tokens that LMCache was given or gave."""


class Offload:
    """Replay a trace as `LMCacheConnectorV1Impl` drives LMCache (lmcache/integration/vllm/vllm_v1_adapter.py).

    A prompt is looked up with pins, what is found is retrieved, the pins are released, the rest is computed, a chunk of
    the prompt at a time, and stored as far as its chunks are full. What is decoded is stored too
    (`save_decode_cache`). A fork is a second request with the same tokens; rejected tokens leave their request, which
    is placed anew. Writes to disk end before the next lookup, and at the end of a step. Other work stores its own.
    """

    def __init__(
        self, open_cache: Callable[[], LMCache], stored: Stored, size: int, chunk: int | None, like: Tensor
    ) -> None:
        """`size` tokens a chunk of LMCache's, `chunk` tokens that are computed at once; `like` [2, 0, K, D]."""
        self._open, self.stored, self.size, self.chunk, self._like = open_cache, stored, size, chunk, like
        self.requests: dict[int, _Request] = {}
        self._names: dict[Any, Name] = {}
        """What each of LMCache's keys stands for."""
        self._keys: dict[Name, Any] = {}
        self._right: dict[Name, Rows] = {}
        """What the model computes for each chunk."""
        self._left: set[str] = set()
        """Files of a process that is no more: nothing of LMCache's knows them."""
        self._bad: dict[Name, str] = {}
        """Chunks whose files were damaged, and how."""
        self._paths: dict[str, Name] = {}
        """What each file's name stands for."""
        self._after = ""
        """What broke in this process, as a message says it."""
        self._others = self._loads = 0
        self._start()

    def _start(self) -> None:
        self.cache, self._after = self._open(), ""
        self.cache.ended = self._written

    def _written(self, done: bool) -> None:
        self.stored.written(done)
        self._after = self._after if done else ", after a write broke off"

    def step(self, name: str, *arguments: Any) -> None:
        """Do one step of a trace and check what must hold after it; raise BrokenInvariant where it does not."""
        getattr(self, name)(*arguments)
        self.cache.finish()
        self.check()

    def add(self, request: int, tokens: Sequence[int], keys: Sequence[Key], kv: Tensor) -> None:
        """Admit a prompt and compute what LMCache does not have; kv [2, tokens, num_kv_heads, D]."""
        self.requests[request] = _Request([*tokens], tuple(keys), kv.flatten(2))
        self._restore(request)

    def append(self, request: int, tokens: Sequence[int], kv: Tensor) -> None:
        """Compute further tokens of a request; kv [2, tokens, num_kv_heads, D]."""
        found = self._restore(request)
        found.tokens.extend(tokens)
        found.right = torch.cat((found.right, kv.flatten(2)), dim=1)
        self._compute(request, found)

    def fork(self, request: int, new: int) -> None:
        """Admit a second request with the tokens of the first."""
        found = self._restore(request)
        self.requests[new] = _Request([*found.tokens], found.keys, found.right)
        self._restore(new)

    def rewind(self, request: int, count: int) -> None:
        """Reject the last tokens."""
        found = self._restore(request)
        del found.tokens[-count:]
        found.right, found.kv = found.right[:, : len(found.tokens)], None
        self._restore(request)

    def free(self, request: int) -> None:
        """End a request."""
        del self.requests[request]

    def preempt(self, request: int) -> None:
        """Take a request's memory away."""
        self.requests[request].kv = None

    def resume(self, request: int) -> None:
        """Give a request its memory again."""
        self._restore(request)

    def read(self, request: int) -> Tensor:
        """Return a request's cache, [2, tokens, K · D]."""
        kv = self._restore(request).kv
        assert kv is not None
        return kv

    def evict(self, count: int) -> None:
        """Let other work store a prompt of so many chunks; raise BrokenInvariant where that raises."""
        self._others += 1
        tokens = [OTHERS * self._others + place for place in range(count * self.size)]
        kv = torch.full((2, len(tokens), self._like.shape[2:].numel()), 1 + self._others % 7).to(self._like.dtype)
        self._store("other", tokens, (), kv, kv, 0)

    def end_transfers(self, count: int) -> None:
        """Do nothing: writes have ended."""

    def fail_transfer(self) -> None:
        """Do nothing: what copies between memories is ours."""

    def fail_store(self) -> None:
        """Let the next write to disk break off, half of it written."""
        self.cache.breaks += 1

    def fail_load(self) -> None:
        """Cut the file that was used last, or remove it, in turn."""
        if (disk := self.cache.disk) is None or not disk.dict:
            return
        key = next(reversed(disk.dict))
        path = Path(disk.dict[key].path)
        if not path.exists():
            return
        self._loads += 1
        if self._loads % 2:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        else:
            path.unlink()
        self._bad[self._names[key]] = "cut" if self._loads % 2 else "gone"

    def restart(self) -> None:
        """End the process and begin a new one over the same folder; requests begin anew."""
        self.cache.close()
        self.stored.close()
        self._bad.clear()
        self._left = self._files()
        for found in self.requests.values():
            found.kv, found.saved = None, 0
        self._start()

    def end(self) -> None:
        """Fill both tiers with other work: nothing that is left may hold its place. Raises BrokenInvariant."""
        room, self.cache.breaks = self.stored.room, 0
        for _ in range(-(-max(room.host, room.disk) // room.host)):
            self.step("evict", room.host)
        self.requests.clear()
        self.check()
        others = [name for name in (*self.stored.host, *self.stored.disk) if name[0][0] < OTHERS]
        require(not others, f"{len(others)} chunks outlast other work")

    def check(self) -> None:
        """Raise BrokenInvariant unless LMCache's books, its memory and its files say what was followed."""
        host, stored = self.cache.host, self.stored
        held = [self._names[key] for key in host.hot_cache]
        require(
            held == [*stored.host],
            f"memory has {len(held)} chunks, or their order, where {len(stored.host)} were kept{self._after}",
        )
        for name, page in zip(held, host.hot_cache.values(), strict=True):
            references = page.get_ref_count()
            require(references == 1, f"a chunk in memory has {references} references{self._after}")
            require(page.meta.pin_count == 0, f"a chunk in memory has {page.meta.pin_count} pins")
            rows = as_rows(page.tensor.view(2, self.size, 1, -1))
            require(bool((rows == self._right[name]).all()), "a chunk in memory is another's")
        memory = host.memory_allocator
        taken = memory.pin_allocator.total_allocated_size
        require(taken == len(held) * PAGE, f"{taken} bytes of memory are taken, for {len(held)} chunks{self._after}")
        require(memory.memcheck(), "its memory does not agree with itself")
        require(not self.cache.engine.lookup_pins, "a lookup's pins are left")
        if self.cache.disk is not None:
            self._check_disk(self.cache.disk)

    def _check_disk(self, disk: Any) -> None:
        require(not disk.disk_worker.put_tasks, f"a write that ended is said to go on{self._after}")
        held = [self._names[key] for key in disk.dict]
        sizes = sum(about.size for about in disk.dict.values())
        require(
            disk.current_cache_size == sizes,
            f"{int(disk.current_cache_size)} bytes of disk are counted, and {sizes} are there{self._after}",
        )
        require(
            held == [*self.stored.disk],
            f"{len(held)} chunks on disk, or their order, where {len(self.stored.disk)} were kept{self._after}",
        )
        require(
            sizes <= disk.max_cache_size, f"{sizes} bytes of disk are used, and there is room for {disk.max_cache_size}"
        )
        files = self._files()
        for name, about in zip(held, disk.dict.values(), strict=True):
            require(about.pin_count == 0, f"a chunk on disk has {about.pin_count} pins")
            if name in self._bad:
                continue
            path = Path(about.path)
            require(path.name in files, "a chunk on disk has no file")
            require(path.read_bytes() == _bytes(self._right[name]), "a file is another chunk's")
        self._left &= files
        extra = files - {Path(about.path).name for about in disk.dict.values()} - self._left
        require(not extra, f"{len(extra)} files are no chunk's")

    def _files(self) -> set[str]:
        return {path.name for path in self.cache.folder.iterdir()}

    def _restore(self, request: int) -> _Request:
        found = self.requests[request]
        if found.kv is None:
            found.kv = torch.full_like(found.right.view(torch.uint8), GARBAGE).view(found.right.dtype)
            found.saved = self._place(request, found, found.kv)
            self._compute(request, found, found.saved - (found.saved == len(found.tokens)))
        return found

    def _place(self, request: int, found: _Request, kv: Tensor) -> int:
        """Look a prompt up and retrieve what is there; return how many leading tokens there are."""
        self.cache.finish()
        names = self._name(found.tokens, found.keys, found.right)
        in_memory, on_disk = self.stored.find(names)
        wanted = (in_memory + on_disk) * self.size
        lookup = f"request {request}"
        count = self.cache.lookup(found.tokens, found.keys, lookup)
        require(count == wanted, f"{lookup}: {count} tokens are found where {wanted} are there")
        pinned = names[:in_memory], names[in_memory : in_memory + on_disk]
        self.stored.pin(*pinned)
        to_load = count - (count == len(found.tokens))
        try:
            return self._retrieve(lookup, found, kv, count, pinned[1]) if to_load else count
        finally:
            self.cache.unpin(lookup)
            self.stored.unpin(*pinned)

    def _retrieve(self, lookup: str, found: _Request, kv: Tensor, count: int, on_disk: Sequence[Name]) -> int:
        bad = {name: self._bad[name] for name in on_disk if name in self._bad}
        given = count - (len(on_disk) - self.stored.load(on_disk, bad)) * self.size
        try:
            got = self.cache.retrieve(found.tokens[:count], found.keys, kv, lookup)
        except (KeyError, OSError) as error:
            require(
                False, f"retrieve raises {type(error).__name__} where a file is {' and '.join(sorted({*bad.values()}))}"
            )
            raise
        harmed = f", of a file that is {' and '.join(sorted({*bad.values()}))}" if bad else ""
        same = (as_rows(kv[:, :, None]) == as_rows(found.right[:, :, None])).all(axis=1)[:got]
        wrong = [token for token, right in enumerate(same.tolist()) if not right]
        require(not wrong, f"{lookup}: tokens {wrong} are retrieved and are another's{harmed}")
        require(got == given, f"{lookup}: {got} tokens are retrieved where {given} were promised{harmed}")
        if any(name not in self.stored.disk for name in bad):
            self._after = ", after a file was lost"
        self._forget_what_left()
        return got

    def _compute(self, request: int, found: _Request, start: int | None = None) -> None:
        """Write what is missing, a chunk of the prompt at a time, and store what is full."""
        kv, total = found.kv, len(found.tokens)
        assert kv is not None
        if start is None:
            start = kv.shape[1]
            found.kv = kv = torch.cat(
                (kv, torch.full_like(found.right[:, start:].view(torch.uint8), GARBAGE).view(kv.dtype)), 1
            )
        while start < total:
            stop = total if self.chunk is None else min(total, start + self.chunk)
            kv[:, start:stop] = found.right[:, start:stop]
            start = stop
            full = stop // self.size * self.size
            if found.saved == 0 or full > found.saved:
                self._store(
                    f"request {request}",
                    found.tokens[:full],
                    found.keys,
                    kv,
                    found.right,
                    found.saved // self.size * self.size,
                )
                found.saved = full

    def _store(
        self, request: str, tokens: list[int], keys: tuple[Key, ...], kv: Tensor, right: Tensor, skip: int
    ) -> None:
        if len(tokens) == skip:
            return
        names = self._name(tokens, keys, right)
        self.stored.store(names[skip // self.size :])
        try:
            self.cache.store(tokens, keys, kv, request, skip)
        except OSError as error:
            gone = " where a file is gone" if "gone" in self._bad.values() else ""
            raise BrokenInvariant(f"store raises {type(error).__name__}{gone}") from error
        self._forget_what_left()

    def _forget_what_left(self) -> None:
        self._bad = {name: how for name, how in self._bad.items() if name in self.stored.disk}

    def _name(self, tokens: Sequence[int], keys: tuple[Key, ...], right: Tensor) -> list[Name]:
        """Name a prompt's full chunks, and hold LMCache's keys against the names: each stands for one."""
        names: list[Name] = []
        found = self.cache.names(tokens, keys)
        require(len(found) == len(tokens) // self.size, f"{len(found)} keys for {len(tokens)} tokens")
        for index, key in enumerate(found):
            name = tuple(tokens[: (index + 1) * self.size]), keys
            require(self._names.setdefault(key, name) == name, "two chunks have one key")
            require(self._keys.setdefault(name, key) == key, "a chunk has two keys")
            if (disk := self.cache.disk) is not None:
                require(self._paths.setdefault(disk._key_to_path(key), name) == name, "two chunks have one file")
            self._right.setdefault(name, as_rows(right[:, index * self.size : (index + 1) * self.size, None]))
            names.append(name)
        return names


def _bytes(rows: Rows) -> bytes:
    """Return a chunk's rows [tokens, bytes] as LMCache lays it out: keys of all tokens, then values."""
    keys, values = rows[:, : rows.shape[1] // 2], rows[:, rows.shape[1] // 2 :]
    return keys.tobytes() + values.tobytes()


def replay_with(module: Any) -> Callable[..., list[Tensor]]:
    """Return `kv_cache` over LMCache's tiers.

    It returns what each read gives, keys and values [2, tokens, num_kv_heads, D], of the dtype of `like`.
    """
    forget_stand_ins()

    def kv_cache(
        steps: Sequence[Sequence[Any]], *, like: Tensor, block_size: int, num_blocks: int, tiers: str, tier_blocks: int,
        chunk: int | None = None, window: int | None = None, **moved: Any,
    ) -> list[Tensor]:  # fmt: skip
        room = room_of(tiers, tier_blocks, num_blocks)
        reads: list[Tensor] = []
        with tempfile.TemporaryDirectory(prefix="eagerdiff-lmcache-") as folder:
            engine = Offload(
                lambda: LMCache(module, room, block_size, like, Path(folder)), Stored(room), block_size, chunk, like
            )
            try:
                for name, *arguments in steps:
                    if name == "read":
                        engine.step("resume", *arguments)
                        kv = engine.read(*arguments)
                        reads.append((kv if window is None else kv[:, -window:]).unflatten(2, like.shape[2:]).clone())
                    else:
                        engine.step(name, *arguments)
                engine.end()
            finally:
                engine.cache.close()
        return reads

    return kv_cache
