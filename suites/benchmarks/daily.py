"""The curated set: few pairs of implementation and workload, each measured once, in a few minutes altogether.

`python -m eagerdiff.suites.benchmarks.daily out.json` measures without asv, on a GPU where there is one.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

from eagerdiff import FIGURES, Subject, benchmark_subjects, curated_subjects, measure_subjects

from .subjects import catalog, device

SUBJECTS = {one.name: one for one in curated_subjects(benchmark_subjects(catalog(), device()))}
Figures = dict[str, dict[str, float]]


class Curated:
    """Track every figure of each pair; all of them are taken before the first is told."""

    version = "3"
    timeout = 1200
    param_names = ("subject",)

    def setup_cache(self) -> Figures:
        """Measure each pair in a process of its own: what a clock times is timed alone."""
        return taken()


def tracking(figure: str) -> Callable[..., float]:
    """Return the benchmark of a figure, of the pairs that can have it: NaN, asv's word for none, of one without."""

    def track(self: Curated, measured: Figures, subject: str) -> float:
        return measured[subject].get(figure, math.nan)

    track.__doc__ = f"Metric {FIGURES[figure].unit} {FIGURES[figure].what}."
    track.unit = FIGURES[figure].unit  # type: ignore[attr-defined]
    track.params = (having(figure),)  # type: ignore[attr-defined]
    return track


def having(figure: str) -> list[str]:
    """Return the names of the pairs that run where a figure is taken."""
    return sorted(name for name, one in SUBJECTS.items() if one.on in FIGURES[figure].on)


for _figure in filter(having, FIGURES):
    setattr(Curated, f"track_{_figure}", tracking(_figure))


def taken(told: Callable[[Figures], object] = lambda _: None) -> Figures:
    """Measure each pair, and say on stderr how far it is, and why one has no figures."""
    found: Figures = {}
    counted: list[str] = []
    started = time.monotonic()

    def say(subject: Subject) -> None:
        counted.append(subject.name)
        at = f"{len(counted)} of {len(SUBJECTS)}, {time.monotonic() - started:.0f} s"
        print(f"{at}: {subject.name}", file=sys.stderr, flush=True)

    for one in measure_subjects(list(SUBJECTS.values()), counted=say):
        found[one.subject.name] = one.figures
        if one.why:
            print(f"no figures of {one.subject.name}: {one.why}", file=sys.stderr, flush=True)
        told(found)
    return found


def main(target: Path) -> None:
    """Write the figures of each pair, as they come."""
    taken(lambda found: target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
