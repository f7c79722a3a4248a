"""Faults to plant in LMCache, as patches of its classes: each must be caught."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

Patch = Callable[[pytest.MonkeyPatch], None]


def _in(module: str) -> Any:
    return importlib.import_module(f"lmcache.v1.{module}")


def _host() -> Any:
    return _in("storage_backend.local_cpu_backend").LocalCPUBackend


def _disk() -> Any:
    return _in("storage_backend.local_disk_backend").LocalDiskBackend


def _manager() -> Any:
    return _in("storage_backend.storage_manager").StorageManager


def _tokens() -> Any:
    return _in("token_database").ChunkedTokenDatabase


def leaves_pins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_manager(), "batched_unpin", lambda self, keys, locations=None: None)


def never_unpins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_in("cache_engine").LMCacheEngine, "lookup_unpin", lambda self, request: None)


def touches_first_chunks_first(patch: pytest.MonkeyPatch) -> None:
    def touch_cache(self: Any) -> None:
        for key in self.keys_in_request:
            self.cache_policy.update_on_hit(key, self.hot_cache)
        self.keys_in_request = []

    patch.setattr(_host(), "touch_cache", touch_cache)


def evicts_what_is_pinned(patch: pytest.MonkeyPatch) -> None:
    policy = _in("storage_backend.cache_policy.lru").LRUCachePolicy
    patch.setattr(policy, "get_evict_candidates", lambda self, held, num_candidates=1: [*held][:num_candidates])


def evicts_the_newest(patch: pytest.MonkeyPatch) -> None:
    policy = _in("storage_backend.cache_policy.lru").LRUCachePolicy
    patch.setattr(
        policy,
        "get_evict_candidates",
        lambda self, held, num_candidates=1: [key for key in reversed(held) if held[key].can_evict][:num_candidates],
    )


def hashes_no_prefix(patch: pytest.MonkeyPatch) -> None:
    right = _tokens()._hash_tokens
    patch.setattr(_tokens(), "_hash_tokens", lambda self, tokens, prefix=None, extra=None: right(self, tokens))


def hashes_one_token_less(patch: pytest.MonkeyPatch) -> None:
    right = _tokens()._hash_tokens
    patch.setattr(
        _tokens(), "_hash_tokens", lambda self, tokens, prefix=None, extra=None: right(self, tokens[:-1], prefix)
    )


def forgets_tags(patch: pytest.MonkeyPatch) -> None:
    right = _tokens()._make_key_by_hash
    patch.setattr(_tokens(), "_make_key_by_hash", lambda self, found, configuration=None: right(self, found))


def counts_twice(patch: pytest.MonkeyPatch) -> None:
    right = _host().get_blocking

    def get_blocking(self: Any, key: Any) -> Any:
        page = right(self, key)
        page.ref_count_up()
        return page

    patch.setattr(_host(), "get_blocking", get_blocking)


def counts_too_little(patch: pytest.MonkeyPatch) -> None:
    """A page that is in use is free: whoever stores next writes into it."""

    def get_blocking(self: Any, key: Any) -> Any:
        return self.hot_cache.get(key)

    patch.setattr(_host(), "get_blocking", get_blocking)


def leaks_memory(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_in("memory_management").AddressManager, "free", lambda self, address, size: None)


def promises_one_too_many(patch: pytest.MonkeyPatch) -> None:
    right = _manager().batched_contains

    def batched_contains(self: Any, keys: Any, search_range: Any = None, pin: bool = False) -> Any:
        hits, mapping = right(self, keys, search_range, pin)
        return min(hits + 1, len(keys)), mapping

    patch.setattr(_manager(), "batched_contains", batched_contains)


def gives_one_too_few(patch: pytest.MonkeyPatch) -> None:
    right = _manager().batched_get

    def batched_get(self: Any, keys: Any, location: Any = None) -> Any:
        pages = right(self, keys, location)
        pages[-1].ref_count_down()
        return [*pages[:-1], None]

    patch.setattr(_manager(), "batched_get", batched_get)


def gives_the_first_for_all(patch: pytest.MonkeyPatch) -> None:
    right = _host().batched_get_blocking
    patch.setattr(_host(), "batched_get_blocking", lambda self, keys: right(self, [keys[0] for _ in keys]))


def reads_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_disk(), "read_file", lambda self, key, buffer, path: None)


def writes_half(patch: pytest.MonkeyPatch) -> None:
    right = _disk().write_file
    patch.setattr(_disk(), "write_file", lambda self, buffer, path: right(self, buffer[: len(buffer) // 2], path))


def leaves_files(patch: pytest.MonkeyPatch) -> None:
    def remove(self: Any, key: Any, force: bool = True) -> bool:
        return self.dict.pop(key, None) is not None

    patch.setattr(_disk(), "remove", remove)


def forgets_how_much_is_on_disk(patch: pytest.MonkeyPatch) -> None:
    right = _disk().submit_put_task

    def submit_put_task(self: Any, key: Any, page: Any, on_complete_callback: Any = None) -> None:
        self.current_cache_size = 0.0
        right(self, key, page, on_complete_callback)

    patch.setattr(_disk(), "submit_put_task", submit_put_task)


def keeps_nothing_that_was_on_disk(patch: pytest.MonkeyPatch) -> None:
    right = _host().batched_submit_put_task

    def batched_submit_put_task(self: Any, keys: Any, pages: Any, **options: Any) -> None:
        if "transfer_spec" in options:
            right(self, keys, pages, **options)

    patch.setattr(_host(), "batched_submit_put_task", batched_submit_put_task)


def counts_twice_what_is_kept(patch: pytest.MonkeyPatch) -> None:
    right = _host().submit_put_task

    def submit_put_task(self: Any, key: Any, page: Any, on_complete_callback: Any = None) -> None:
        page.ref_count_up()
        right(self, key, page, on_complete_callback)

    patch.setattr(_host(), "submit_put_task", submit_put_task)


def pins_twice(patch: pytest.MonkeyPatch) -> None:
    right = _host().contains

    def contains(self: Any, key: Any, pin: bool = False) -> bool:
        if pin and key in self.hot_cache:
            self.hot_cache[key].pin()
        return right(self, key, pin)

    patch.setattr(_host(), "contains", contains)


def writes_into_what_is_kept(patch: pytest.MonkeyPatch) -> None:
    right = _host().submit_put_task

    def submit_put_task(self: Any, key: Any, page: Any, on_complete_callback: Any = None) -> None:
        page.raw_data[-1] += 1
        right(self, key, page, on_complete_callback)

    patch.setattr(_host(), "submit_put_task", submit_put_task)


def takes_memory_for_nobody(patch: pytest.MonkeyPatch) -> None:
    """The count of what is taken is larger than what is: the first page counts twice."""
    addresses = _in("memory_management").AddressManager
    right = addresses.allocate

    def allocate(self: Any, size: int) -> Any:
        self.total_allocated_size += 4096 * (not self.total_allocated_size)
        return right(self, size)

    patch.setattr(addresses, "allocate", allocate)


def never_ends_a_write(patch: pytest.MonkeyPatch) -> None:
    worker = _in("storage_backend.local_disk_backend").LocalDiskWorker
    patch.setattr(worker, "remove_put_task", lambda self, key: None)


def writes_no_file(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_disk(), "write_file", lambda self, buffer, path: None)


FAULTS: Sequence[Patch] = (
    leaves_pins, never_unpins, touches_first_chunks_first, evicts_what_is_pinned, evicts_the_newest, hashes_no_prefix,
    hashes_one_token_less, forgets_tags, counts_twice, counts_too_little, leaks_memory, promises_one_too_many,
    gives_one_too_few, gives_the_first_for_all, reads_nothing, writes_half, leaves_files, forgets_how_much_is_on_disk,
    keeps_nothing_that_was_on_disk, counts_twice_what_is_kept, pins_twice, writes_into_what_is_kept,
    takes_memory_for_nobody, never_ends_a_write, writes_no_file,
)  # fmt: skip
