"""The curated set: few pairs of implementation and workload, each measured once, in a few minutes altogether.

`python -m eagerdiff.suites.benchmarks.daily out.json` measures without asv, on a GPU where there is one.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

from eagerdiff import FIGURES, Subject, benchmark_subjects, curated_subjects, measure_subject

from .sampling import forked
from .subjects import catalog, device

SUBJECTS = {one.name: one for one in curated_subjects(benchmark_subjects(catalog(), device()))}
Taken = dict[str, dict[str, float]]


class Curated:
    """Track every figure of each pair; all of them are taken before the first is told."""

    version = "1"
    timeout = 1200
    params = (list(SUBJECTS),)
    param_names = ("subject",)

    def setup_cache(self) -> Taken:
        """Measure each pair in a fork of its own, one after the other."""
        return {name: apart(subject) for name, subject in SUBJECTS.items()}


def tracking(figure: str) -> Callable[..., float]:
    """Return the benchmark of a figure: NaN, asv's word for none, of a pair that does not have it."""

    def track(self: Curated, measured: Taken, subject: str) -> float:
        return measured[subject].get(figure, math.nan)

    track.__doc__ = f"Metric {FIGURES[figure].unit} {FIGURES[figure].what}."
    track.unit = FIGURES[figure].unit  # type: ignore[attr-defined]
    return track


for _figure in FIGURES:
    setattr(Curated, f"track_{_figure}", tracking(_figure))


def apart(subject: Subject) -> dict[str, float]:
    """Measure in a fork; nothing where it breaks, which is printed."""
    return forked(lambda: _figures(subject)) or {}


def _figures(subject: Subject) -> dict[str, float]:
    try:
        return measure_subject(subject).figures
    except BaseException as error:  # noqa: BLE001  whatever is under test raises, the rest is measured
        print(f"{subject.name}: {type(error).__name__}: {error}"[:300], file=sys.stderr, flush=True)
        return {}


def main(target: Path) -> None:
    """Write the figures of each pair, as they come."""
    found: Taken = {}
    for name, subject in SUBJECTS.items():
        started = time.monotonic()
        found[name] = apart(subject)
        target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{time.monotonic() - started:6.1f} s  {len(found[name]):2} figures  {name}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
