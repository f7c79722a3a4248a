"""Parts of all benchmarks: together they are all, none is in two, and their results become one."""

import json
import re
from pathlib import Path

import pytest

from eagerdiff.suites.benchmarks.shards import ShardError, main, merge, shard, sizes

SIZES = {f"compiling.C{number}.track_compiles": number for number in range(1, 30)}
COLUMNS = ["result", "params"]


def result(**results: float) -> str:
    return json.dumps({"result_columns": COLUMNS, "results": {name: [value] for name, value in results.items()}})


@pytest.mark.parametrize("count", [1, 2, 4, 7, 40])
def test_parts_are_all_benchmarks_once_and_alike_in_size(count: int) -> None:
    parts = [shard(f"{number}/{count}", SIZES) for number in range(1, count + 1)]
    assert sorted(name for part in parts for name in part) == sorted(SIZES)
    weights = [sum(SIZES[name] for name in part) for part in parts]
    assert max(weights) - min(weights) <= max(SIZES.values())


@pytest.mark.parametrize("text", ["", "0/4", "5/4", "1/0", "1", "a/b", "-1/2", "1/99999"])
def test_what_is_no_part_is_said_in_a_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([text]) == 2
    told = capsys.readouterr().err
    assert "second of four" in told
    assert len(told.splitlines()) == 1


def test_a_part_is_what_asv_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    found = sizes()
    assert {"daily.Curated.track_compiles", "claiming.Claims.track_figure"} <= set(found)
    assert found["compiling.CompilingMoe.track_compiles"] > 10
    assert main(["2/3"]) == 0
    patterns = capsys.readouterr().out.split()[1::2]
    chosen = shard("2/3", found)
    assert [[name for name in found if re.search(pattern, f"{name}(a, b)")] for pattern in patterns] == [
        [name] for name in chosen
    ]


def test_results_of_parts_become_one(tmp_path: Path) -> None:
    into, other = tmp_path / "into", tmp_path / "other"
    for folder, text in ((into, result(a=1, b=2)), (other, result(b=3, c=4))):
        (folder / "here").mkdir(parents=True)
        (folder / "here" / "abc-env.json").write_text(text)
        (folder / "here" / "machine.json").write_text("{}")
    (other / "here" / "def-env.json").write_text(result(a=5))
    (other / "benchmarks.json").write_text("{}")
    assert merge([other], into) == 2
    assert json.loads((into / "here" / "abc-env.json").read_text())["results"] == {"a": [1], "b": [3], "c": [4]}
    assert (into / "here" / "def-env.json").exists()
    assert (into / "benchmarks.json").exists()


def test_what_is_no_result_is_said(tmp_path: Path) -> None:
    for folder in ("into", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.json").write_text("[]")
    with pytest.raises(ShardError, match=r"is no result of asv's"):
        merge([tmp_path / "other"], tmp_path / "into")
    with pytest.raises(ShardError, match="no folder of results"):
        merge([tmp_path / "nowhere"], tmp_path / "into")
    (tmp_path / "into" / "a.json").write_text(json.dumps({"result_columns": [], "results": {}}))
    (tmp_path / "other" / "a.json").write_text(result(a=1))
    with pytest.raises(ShardError, match="two versions of asv"):
        merge([tmp_path / "other"], tmp_path / "into")
