"""Shards: all benchmarks, cut into parts of about the same number of pairs, and their results put together again.

`python -m eagerdiff.suites.benchmarks.shards 2/4` prints what `asv run` takes for the second of four parts;
`… merge FOLDER [FOLDER…]` adds the results in other folders to those in `.asv/results`.
"""

import importlib
import json
import pkgutil
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

from eagerdiff.suites import benchmarks

RESULTS = Path(".asv/results")
_TRACKED = re.compile(r"(track|time|peakmem)_")
_SHARD = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})")
_SHARED = ("benchmarks.json", "machine.json")
"""Files of a folder of results that are no results."""


class ShardError(ValueError):
    """Say in one line why there is no such part, or why results cannot be put together."""


def sizes() -> dict[str, int]:
    """Return every benchmark, `module.Class.function`, and how many pairs it has."""
    return dict(_benchmarks())


def shard(text: str, found: dict[str, int]) -> list[str]:
    """Return the benchmarks of a part, `2/4` being the second of four; raise ShardError for none.

    The largest are dealt out first, each to the part that has least; every machine deals alike.
    """
    match = _SHARD.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ShardError(f"{text!r} is no part: write 2/4 for the second of four")
    parts: list[list[str]] = [[] for _ in range(int(match[2]))]
    for name in sorted(found, key=lambda name: (-found[name], name)):
        min(parts, key=lambda part: sum(found[one] for one in part)).append(name)
    return sorted(parts[int(match[1]) - 1])


def merge(folders: Sequence[Path], into: Path = RESULTS) -> int:
    """Add what other folders of results hold, machine by machine; return how many files were added or changed.

    Raises ShardError for a file that is no result of asv's.
    """
    changed = 0
    for folder in folders:
        if not folder.is_dir():
            raise ShardError(f"no folder of results {folder}")
        for path in sorted(folder.rglob("*.json")):
            target = into / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or path.name in _SHARED:
                shutil.copyfile(path, target)
            else:
                ours, theirs = _read(target), _read(path)
                if ours["result_columns"] != theirs["result_columns"]:
                    raise ShardError(f"{path} and {target} are of two versions of asv")
                for part in ("results", "durations"):
                    ours[part] = {**ours.get(part, {}), **theirs.get(part, {})}
                target.write_text(json.dumps(ours, indent=1) + "\n")
            changed += path.name not in _SHARED
    return changed


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise ShardError(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict) or not {"results", "result_columns"} <= data.keys():
        raise ShardError(f"{path} is no result of asv's")
    return data


def _benchmarks() -> Iterator[tuple[str, int]]:
    for found in pkgutil.iter_modules(benchmarks.__path__):
        module = importlib.import_module(f"{benchmarks.__name__}.{found.name}")
        for name, value in vars(module).items():
            if not isinstance(value, type) or name.startswith("_"):
                continue
            pairs = prod(len(values) for values in getattr(value, "params", ()))
            for function in filter(_TRACKED.match, dir(value)):
                yield f"{found.name}.{name}.{function}", pairs


def main(arguments: Sequence[str]) -> int:
    """Print a part, or put results together."""
    try:
        if arguments[:1] == ["merge"] and len(arguments) > 1:
            print(f"{merge([Path(folder) for folder in arguments[1:]])} files of results added")
        elif len(arguments) == 1:
            print(" ".join(f"--bench ^{re.escape(name)}\\b" for name in shard(arguments[0], sizes())))
        else:
            raise ShardError("give a part, such as 2/4, or `merge` and folders of results")
    except ShardError as error:
        print(f"shards: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
