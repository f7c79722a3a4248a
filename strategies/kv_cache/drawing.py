"""Drawing serving traces: small pools, tiny hash spaces, and many ways for blocks to be shared, moved and lost."""

import functools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.cases.kv_cache import Action, KVCacheCase, Step

_ACTIONS: tuple[Action, ...] = (
    "add", "append", "add", "append", "read", "append", "fork", "rewind", "free", "add", "preempt", "resume", "evict",
    "end_transfers", "fail_transfer", "free", "end_transfers", "fail_store", "restart", "fail_load", "restart",
    "fail_load",
)  # fmt: skip
_THROUGH_TIERS: tuple[Action, ...] = ("add", "add", "free", "end_transfers", "end_transfers", "evict", "restart")
"""What fills tiers, empties the pool, and asks for what was there."""
_MOST_STEPS = 40
_KEPT = (*((None, None),) * 4, (1, None), (3, None), (8, None), (17, None), (None, 1), (None, 2), (None, 3))
"""Windows and budgets: one of them, or neither."""


def cases() -> st.SearchStrategy[KVCacheCase]:
    """Draw any trace; shrinks to no step on a plain cache."""
    return st.tuples(_statics(), _dynamics()).map(lambda parts: KVCacheCase(**parts[0], **parts[1]))


def cases_like(case: KVCacheCase) -> st.SearchStrategy[KVCacheCase]:
    """Draw a trace over a cache like that of `case`."""
    return _dynamics().map(lambda fields: KVCacheCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "bfloat16", "float8_e4m3fn")),
            "block_size": st.sampled_from((4, 1, 2, 5, 16)),
            "num_blocks": st.sampled_from((8, 4, 5, 12)),
            "num_kv_heads": st.sampled_from((1, 2)),
            "layout": st.sampled_from(("block_first", "kv_first", "hnd")),
            "hash_bits": st.sampled_from((64, 1, 2, 4)),
            "kept": st.sampled_from(_KEPT),
            "tiers": st.sampled_from(
                ("none", "host", "disk", "host_disk", "disk", "host_disk_store", "host_disk_store")
            ),
            "tier_blocks": st.sampled_from((3, 1, 2, 8, 2)),
            "prefix_caching": st.sampled_from((True, True, True, False)),
            "chunk": st.sampled_from((None, None, 1, 3, 8)),
            "counted": st.sampled_from((False, True, True, True)),
        }
    ).map(_unzip)


def _unzip(fields: dict[str, Any]) -> dict[str, Any]:
    window, budget = fields.pop("kept")
    return fields | {"window": window, "budget": budget, "counted": fields["counted"] and budget is None}


@functools.cache
def _dynamics() -> st.SearchStrategy[dict[str, Any]]:
    # Lists of a length that is drawn first: by themselves they are mostly short.
    lengths = st.integers(1, _MOST_STEPS)
    drawn = st.tuples(lengths, _actions()).flatmap(
        lambda wanted: st.lists(steps(wanted[1]), min_size=wanted[0], max_size=wanted[0])
    )
    alike = st.sampled_from(("nothing", "nothing", "keys", "tokens"))
    return st.fixed_dictionaries({"steps": drawn.map(tuple), "alike": alike, "seed": st.integers(0, 2**32 - 1)})


def _actions() -> st.SearchStrategy[tuple[Action, ...]]:
    """Draw what may happen: everything, or a few things again and again (Groce et al., "Swarm Testing", ISSTA 2012)."""
    few = st.sets(st.sampled_from(_ACTIONS), min_size=2, max_size=6)
    return st.one_of(st.just(_ACTIONS), st.just(_THROUGH_TIERS), few.map(lambda chosen: ("add", *sorted(chosen))))


def steps(actions: Sequence[Action] = _ACTIONS) -> st.SearchStrategy[Step]:
    """Draw one step of a trace, among these actions."""
    return st.tuples(st.sampled_from(actions), st.integers(0, 5), st.integers(0, 40), st.integers(0, 9))


def roll(random: Random, statics: Mapping[str, Sequence[Any]], most_steps: int = 24) -> KVCacheCase:
    """Draw a trace from the same actions without Hypothesis: many times as fast, and it does not shrink.

    `statics` are the choices of what kind of cache it is over; at most `most_steps` steps.
    """
    few = ("add", *random.sample(_ACTIONS, random.randint(2, 6)))
    actions = random.choice((_ACTIONS, _THROUGH_TIERS, few))
    steps: tuple[Any, ...] = tuple(
        (random.choice(actions), random.randint(0, 5), random.randint(0, 40), random.randint(0, 9))
        for _ in range(random.randint(1, most_steps))
    )
    chosen = {name: random.choice(choices) for name, choices in statics.items()}
    return KVCacheCase(**chosen, alike=random.choice(("nothing", "nothing", "keys", "tokens")), steps=steps)
