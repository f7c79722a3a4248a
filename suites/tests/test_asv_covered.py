"""What a run of the curated set covers is read from asv's results: NaN and null are no figures."""

import json
from pathlib import Path

import pytest

asv_results = pytest.importorskip("asv.results", reason="asv is not installed")

from eagerdiff import benchmark_subjects, curated_subjects, load_catalog  # noqa: E402
from eagerdiff.suites.asv_pages.covered import CoverageError, measured, newest, told  # noqa: E402

CHOSEN = [one.name for one in curated_subjects(benchmark_subjects(load_catalog(), "cpu"))]


def written(folder: Path, figures: dict[str, list[float | None]]) -> Path:
    """Write what asv writes, of pairs a, b, c."""
    path = folder / "here" / "abc-env.json"
    path.parent.mkdir()
    (path.parent / "machine.json").write_text("{}")
    names = [["'a'", "'b'", "'c'"]]
    results = {f"daily.Curated.track_{name}": [values, names] for name, values in figures.items()}
    keys = {
        "commit_hash": "abc",
        "env_name": "env",
        "date": 0,
        "params": {"machine": "here"},
        "python": "3.11",
        "requirements": {},
    }
    more = {"env_vars": {}, "result_columns": ["result", "params"], "results": results, "durations": {}, "version": 2}
    path.write_text(json.dumps(keys | more))
    return path


def test_a_pair_is_covered_where_it_has_a_figure(tmp_path: Path) -> None:
    nan = float("nan")
    path = written(tmp_path, {"compiles": [1.0, nan, None], "registers": [nan, nan, 8.0]})
    assert newest(tmp_path) == path
    assert measured(asv_results.Results.load(str(path))) == {"a", "c"}


def test_where_there_are_no_results_a_line_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(CoverageError, match="run `make benchmark`"):
        newest(tmp_path)


def test_a_pair_without_figures_is_named_with_what_it_alone_stands_for() -> None:
    assert "none:" not in told(set(CHOSEN))
    lost = next(name for name in CHOSEN if name.startswith("symbolic/aoti.named"))
    text = told(set(CHOSEN) - {lost})
    assert f"  none: {lost}" in text
    assert "mode: " in text
    assert ", not aoti named" in text
