"""What asv times and counts of operators of one's own: of every figure, more is worse.

A configuration that `eagerdiff bench` writes has a benchmark file that calls `benchmarks`.
"""

import functools
import json
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from eagerdiff import (
    FIGURES,
    Sampling,
    Subject,
    benchmark_subjects,
    load_catalog,
    measure_subjects,
    refused_calls,
)
from eagerdiff.suites.bench.names import CHECKOUT

SAMPLES = 5
"""Of each process."""
TIME = "microseconds"
Figures = dict[str, dict[str, float]]


def device() -> str:
    """Return where times are taken: a GPU where there is one, looked for without starting CUDA."""
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    return "cuda" if torch.cuda.is_available() else "cpu"


@functools.cache
def subjects(operators: tuple[str, ...], implementations: tuple[str, ...]) -> dict[str, Subject]:
    """Return the pairs of implementation and workload that run here, by name; say on stderr what cannot be loaded.

    A file is that of the commit that is checked out.
    """
    catalog = load_catalog([*map(_here, operators)], [*map(_here, implementations)])
    for line in catalog.problems:
        print(f"eagerdiff: {line}", file=sys.stderr)
    found = {one.name: one for one in benchmark_subjects(catalog, device())}
    wanted = {name for names in catalog.specs.values() for name in names}
    return {name: one for name, one in found.items() if not wanted or _is_wanted(one, wanted)}


def _here(spec: str) -> str:
    home, _, attribute = spec.rpartition(":")
    return f"{Path(os.environ.get(CHECKOUT, '.')) / home}:{attribute}" if home.endswith(".py") else spec


def _is_wanted(one: Subject, wanted: set[str]) -> bool:
    return bool(wanted & {one.operator.name, f"{one.operator.name}/{one.implementation.name}"})


class Clock:
    """Stand still, but for the seconds that are told: asv times a call by what it told meanwhile."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """Return the seconds that were told so far."""
        return self.seconds


def benchmarks(operators: Sequence[str], implementations: Sequence[str] = (), rounds: int = 1) -> dict[str, type]:
    """Return the benchmark classes of some operators and implementations, by name, for a file that asv reads.

    `rounds` processes of each commit time a subject; commits take turns. What is counted is counted once.
    """
    named = tuple(operators), tuple(implementations)
    names = sorted(subjects(*named))
    return {"Time": _timing(named, names, rounds), "Count": _counting(named, names)} if names else {}


def _timing(named: tuple[tuple[str, ...], tuple[str, ...]], names: list[str], of: int) -> type:
    clock = Clock()

    @functools.cache
    def ready(subject: str) -> tuple[Sampling, int]:
        found = _subject(named, subject)
        sampling = Sampling(found, refused_calls(found))
        return sampling, sampling.passes()

    class Time:
        """Time one pass over a workload that is compiled and judged right: CPU seconds; on a GPU by its own clock."""

        version = "1"
        timeout = 1200
        param_names = ("subject",)
        params = (names,)
        rounds, repeat, number, warmup_time = of, SAMPLES, 1, 0
        min_run_count = 1
        timer = clock

        def time_pass(self, subject: str) -> None:
            """Time one pass."""
            sampling, passes = ready(subject)
            clock.seconds += sampling.sample(passes)

    return Time


def _counting(named: tuple[tuple[str, ...], tuple[str, ...]], names: list[str]) -> type:
    class Count:
        """Count compilations, guards, bytes and the like, each subject in a process of its own."""

        version = "1"
        timeout = 1200
        param_names = ("subject",)

        def setup_cache(self) -> Figures:
            """Measure every subject; what a clock times, `Time` does."""
            return _counted(named)

    found = subjects(*named)
    for figure, kind in FIGURES.items():
        having = [name for name in names if found[name].on in kind.on]
        if having and figure != TIME:
            setattr(Count, f"track_{figure}", _tracking(figure, having))
    return Count


def _tracking(figure: str, having: list[str]) -> Callable[..., float]:
    """Return the benchmark of a figure, of the subjects that can have it: NaN, asv's word for none, of one without."""

    def track(self: Any, measured: Figures, subject: str) -> float:
        return measured.get(subject, {}).get(figure, math.nan)

    track.__doc__ = f"Metric {FIGURES[figure].unit} {FIGURES[figure].what}."
    track.unit = FIGURES[figure].unit  # type: ignore[attr-defined]
    track.params = (having,)  # type: ignore[attr-defined]
    return track


def _counted(named: tuple[tuple[str, ...], tuple[str, ...]]) -> Figures:
    found: Figures = {}
    for one in measure_subjects(list(subjects(*named).values())):
        found[one.subject.name] = one.figures
        if one.why:
            print(f"eagerdiff: {one.subject.name}: {one.why}", file=sys.stderr, flush=True)
    return found


def _subject(named: tuple[tuple[str, ...], tuple[str, ...]], name: str) -> Subject:
    """Return a subject; raise NotImplementedError, asv's word for skip, where this commit has none of that name."""
    if name not in (there := subjects(*named)):
        raise NotImplementedError(f"this commit has no {name}")
    return there[name]


def main(told: str) -> None:
    """Say as JSON of the operators and implementations that a JSON list names how many subjects there are.

    One of them is measured: the seconds that this took, and why it cannot be, are said too.
    """
    operators, implementations = json.loads(told)
    found = subjects(tuple(operators), tuple(implementations))
    began, why, name = time.monotonic(), "no implementation named runs on this machine", ""
    if found:
        taken = next(measure_subjects([next(iter(found.values()))]))
        why, name = taken.why, taken.subject.name
    said = {"subjects": len(found), "first": name, "why": why, "seconds": time.monotonic() - began}
    print(json.dumps(said), flush=True)
