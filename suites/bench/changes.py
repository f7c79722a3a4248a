"""What changed between two commits, read from asv's results: with the spread of what was sampled."""

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.machine import Machine
from asv.results import iter_results_for_machine_and_hash

from eagerdiff import FIGURES

FLOOR = 0.02
"""A time that differs by less is the same: where code lies in memory makes as much."""


UNSAMPLED = 0.25
"""The same of a time that was taken once: it has no spread to be held against."""


@dataclass(frozen=True)
class Value:
    """Hold what one commit has of one benchmark and its parameters."""

    value: float
    samples: tuple[float, ...] = ()

    @property
    def range(self) -> tuple[float, float]:
        """The quartiles of the samples; the value itself where there are none."""
        if len(self.samples) < 2:
            return self.value, self.value
        low, _, high = statistics.quantiles(self.samples, n=4)
        return low, high


@dataclass(frozen=True)
class Row:
    """Say how one benchmark and its parameters compare."""

    name: str
    unit: str
    before: Value
    after: Value
    gate: float
    """By which share it may change."""

    @property
    def share(self) -> float:
        """By which share it has changed; above 0: worse."""
        old, new = self.before.value, self.after.value
        return new / old - 1 if old else math.inf if new else 0.0

    @property
    def word(self) -> str:
        """Say how it changed; empty where it did not by more than the gate and the spread of either side."""
        (low, high), (new_low, new_high) = self.before.range, self.after.range
        apart = new_low > high or new_high < low
        if abs(self.share) <= self.gate or not apart:
            return ""
        return "worse" if self.share > 0 else "better"


class Readings:
    """Read what asv has measured on this machine, by a configuration."""

    def __init__(self, config: Path) -> None:
        self._conf: Any = Config.load(str(config))
        for name in ("results_dir", "benchmark_dir"):
            setattr(self._conf, name, str(config.parent / getattr(self._conf, name)))
        self._benchmarks: Any = Benchmarks.load(self._conf)
        self._machine = str(Machine.get_unique_machine_name())

    def compare(self, before: str, after: str) -> Iterator[Row]:
        """Return a row for each benchmark and its parameters that both commits have a value of."""
        old, new = self.of(before), self.of(after)
        for (label, name, unit), value in new.items():
            if (known := old.get((label, name, unit))) is not None:
                called = f"{label} {_called(name)}".strip()
                yield Row(called, unit, known, value, _gate(name, bool(value.samples)))

    def of(self, commit: str) -> dict[tuple[str, str, str], Value]:
        """Return the values of a commit, by parameters, benchmark and unit."""
        found: dict[tuple[str, str, str], Value] = {}
        for result in iter_results_for_machine_and_hash(self._conf.results_dir, self._machine, commit):
            for name in result.get_result_keys(self._benchmarks):
                benchmark = self._benchmarks[name]
                values = result.get_result_value(name, benchmark["params"])
                samples = result.get_result_samples(name, benchmark["params"])
                for label, value, some in zip(_labels(benchmark["params"]), values, samples, strict=False):
                    if value is not None and math.isfinite(value):
                        found[label, name, benchmark["unit"]] = Value(float(value), tuple(some or ()))
        return found


def _labels(params: Sequence[Sequence[str]]) -> Iterator[str]:
    for values in itertools.product(*params):
        yield ", ".join(value.strip("'") for value in values)


def _gate(name: str, sampled: bool) -> float:
    """Return by which share a figure may change before it is another: of what is counted none, mostly."""
    kind = FIGURES.get(name.rpartition("track_")[2]) if "track_" in name else None
    if kind is not None and kind.gate is not None:
        return kind.gate
    return FLOOR if sampled else UNSAMPLED


def _called(name: str) -> str:
    """Return what a figure is called: of ours without the names of file and class."""
    if not name.startswith("own."):
        return name
    return name.rpartition(".")[2].removeprefix("track_").removeprefix("time_")
