"""What the last run of the curated set covers: pairs with figures, and what each stands for.

`python -m eagerdiff.suites.asv_pages.covered` reads the newest result under `.asv/results`.
"""

import math
import sys
from pathlib import Path

from asv.results import Results

from eagerdiff import FIGURES, benchmark_subjects, curated_coverage, curated_subjects
from eagerdiff.suites.benchmarks.shards import RESULTS
from eagerdiff.suites.benchmarks.subjects import catalog, device


class CoverageError(ValueError):
    """Say in one line why there is nothing to tell."""


def measured(results: Results) -> set[str]:
    """Return the pairs of which a result of asv's has at least one figure."""
    found: set[str] = set()
    for benchmark in (f"daily.Curated.track_{figure}" for figure in FIGURES):
        if benchmark in results.get_all_result_keys():
            (names,) = results.get_result_params(benchmark)
            values = results.get_result_value(benchmark, [names])
            found |= {name.strip("'") for name, value in zip(names, values, strict=True) if not none(value)}
    return found


def none(value: float | None) -> bool:
    """Say whether asv has no figure."""
    return value is None or math.isnan(value)


def newest(folder: Path = RESULTS) -> Path:
    """Return the result that was written last; raise CoverageError where there is none."""
    files = [path for path in folder.glob("*/*.json") if path.name != "machine.json"]
    if not files:
        raise CoverageError(f"no results in {folder}: run `make benchmark`")
    return max(files, key=lambda path: path.stat().st_mtime)


def told(names: set[str]) -> str:
    """Return lines that say what pairs of those names cover."""
    found = list(benchmark_subjects(catalog(), device()))
    chosen = [one.name for one in curated_subjects(found)]
    lines = [f"{len(names & set(chosen))} of {len(chosen)} pairs have figures, chosen among {len(found)}"]
    lines += [f"  none: {name}" for name in chosen if name not in names]
    for kind, (count, missing) in curated_coverage(found, names).items():
        lines.append(f"  {kind}: {count - len(missing)} of {count}{', not ' if missing else ''}{', '.join(missing)}")
    return "\n".join(lines)


def main() -> None:
    """Print what the newest result covers."""
    try:
        path = newest()
    except CoverageError as error:
        sys.exit(str(error))
    print(told(measured(Results.load(str(path)))))


if __name__ == "__main__":
    main()
