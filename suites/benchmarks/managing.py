"""Random traces over KV cache managers of other projects, counted: `python -m eagerdiff.suites.benchmarks.managing`.

One process a manager; what it counts is added to a file, which `docs/kv_managers.py` makes a table of.
"""

import argparse
import gc
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import torch

from eagerdiff import Declined
from eagerdiff.compiled.adapters.kv_cache import MANAGERS, Adapter
from eagerdiff.reference.kv_cache import kv_cache
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import inputs, roll

STATICS: Mapping[str, Sequence[Any]] = {
    "block_size": (4, 1, 2, 5, 16),
    "num_blocks": (8, 4, 5, 12),
    "window": (None, None, None, 3, 17),
    "prefix_caching": (True, True, True, True, False),
    "chunk": (None, None, None, 3, 8),
}
"""What kind of cache: what moves nothing in a manager (dtype, layout, tiers) is left as it is."""
AT_ONCE = 1000


@dataclass
class Count:
    """Count traces over one revision of one manager."""

    manager: str
    revision: str
    traces: int = 0
    steps: int = 0
    refused: int = 0
    """Traces that were drawn and are not for it."""
    seconds: float = 0.0
    """Of a processor."""
    findings: dict[str, int] = field(default_factory=dict[str, int])
    smallest: dict[str, str] = field(default_factory=dict[str, str])
    """The trace with the fewest steps of each finding, as YAML."""


def judge(case: KVCacheCase, replay: Callable[..., list[torch.Tensor]]) -> str | None:
    """Replay one trace and return what is wrong, its numbers left out, or None."""
    given = inputs(case, "cpu")
    try:
        got = replay(*given.args, **given.options)
    except Exception as error:  # noqa: BLE001 - whatever a stranger's code raises is what it did
        return f"{type(error).__name__}: {kind_of(str(error))}"
    right = kv_cache(*given.args, **given.options)
    same = len(got) == len(right) and all(torch.equal(one, other) for one, other in zip(got, right, strict=True))
    return None if same else "another content is read"


def kind_of(message: str) -> str:
    """Return a message without its numbers, on one line."""
    return re.sub(r"N(, N)+", "N", re.sub(r"\d+", "N", message.splitlines()[0] if message else ""))


def count(adapter: Adapter, revision: str, seeds: range) -> Count:
    """Judge the traces of some seeds."""
    found = Count(adapter.name, revision)
    replay = adapter.replay()
    for seed in seeds:
        case = roll(Random(seed), {**STATICS, **adapter.statics})
        if adapter.supports(case) is not None:
            found.refused += 1
            continue
        wrong = judge(case, replay)
        found.traces += 1
        found.steps += len(case.steps)
        if wrong is not None:
            found.findings[wrong] = found.findings.get(wrong, 0) + 1
            text = case.to_yaml()
            if len(text) < len(found.smallest.get(wrong, text + " ")):
                found.smallest[wrong] = text
    return found


def add(one: Count, other: Count) -> Count:
    """Return the sum of two counts over the same revision."""
    smallest = {**other.smallest}
    for wrong, text in one.smallest.items():
        smallest[wrong] = min(text, smallest.get(wrong, text), key=len)
    return Count(
        one.manager,
        one.revision,
        one.traces + other.traces,
        one.steps + other.steps,
        one.refused + other.refused,
        round(one.seconds + other.seconds, 1),
        dict(Counter(one.findings) + Counter(other.findings)),
        smallest,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge traces until so many are judged, and keep the counts after each thousand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manager", choices=sorted(MANAGERS))
    parser.add_argument("--revision", required=True, help="which release or commit the folder holds")
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first trace")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file, one a manager and revision")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    gc.disable()
    found, seed = Count(options.manager, options.revision), options.seed
    try:
        MANAGERS[options.manager].replay()
    except Declined as error:
        parser.error(str(error))
    while found.traces < options.traces:
        start = time.process_time()
        part = count(MANAGERS[options.manager], options.revision, range(seed, seed + AT_ONCE))
        part.seconds = time.process_time() - start
        found, seed = add(found, part), seed + AT_ONCE
        options.out.write_text(json.dumps(asdict(found), indent=1))
        gc.collect()


if __name__ == "__main__":
    main()
