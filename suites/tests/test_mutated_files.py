"""Every reader on mutated files: what it cannot read is its own error in one line, at once, and nothing is run.

Seeds that once failed are explicit. `make test-all` reads 10,000 files a reader.
"""

import dataclasses
import functools
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff.harness.campaign.doublecheck import wrong_values
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.cli.show import read_cases
from eagerdiff.harness.cli.written import read_searched
from eagerdiff.harness.corpus.evals import CorpusError, read_corpus
from eagerdiff.harness.corpus.replaying import Replayer, identified, known
from eagerdiff.harness.corpus.turns import Turns
from eagerdiff.harness.mutation.faults import FaultError, read_faults, spoil
from eagerdiff.harness.mutation.records import FILE, read_records
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.reading import LINE, SOURCE, Unreadable, parse_json, read_text
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.tests.mutating import mutated, write_json, write_yaml
from eagerdiff.suites.tests.test_sinks import campaign

SUITES = Path(__file__).resolve().parents[1]
SECONDS = 20.0
"""CPU seconds for one file, of a few kilobytes: what a bomb would pass."""
MANY = 10_000
CATALOG = load(["moe", "programs", "block_copy", "paged_attention"])


@dataclass(frozen=True)
class Reader:
    """Read a file of which the right form is known."""

    base: Callable[[], Any]
    read: Callable[[Path], Any]
    """Read the folder that holds the file."""
    file: str
    write: Callable[[Any], bytes] = write_yaml
    errors: tuple[type[Exception], ...] = ()
    failed: tuple[int, ...] = field(default=())
    """Seeds that found something."""


def of_yaml(*parts: str, most: int = 3) -> Callable[[], Any]:
    @functools.cache
    def read() -> Any:
        data = yaml.safe_load(SUITES.joinpath(*parts).read_text())
        return data[:most] if isinstance(data, list) else data | {"cases": data["cases"][:most]}

    return read


def corpus(folder: Path) -> Any:
    """All that `replay` does with a corpus before a worker is asked, and after."""
    found = read_corpus(folder / "kept.yaml")
    known([found])
    with WorkerPool() as pool:
        return Replayer(CATALOG, pool, going=lambda: False).replay(identified(found, CATALOG))


def records(folder: Path) -> Any:
    """The reports' way to a record: what is wrong is a line among the problems."""
    operator = CATALOG.operators["moe"]
    extras = dataclasses.replace(operator.extras, faults=folder)
    found, problems = read_records([dataclasses.replace(operator, extras=extras)])
    assert len(found) + len(problems) == 1
    for problem in problems:
        raise Unreadable(problem)
    return [(reading.record.ours, reading.record.theirs, reading.stale) for reading in found]


def faults(folder: Path) -> Any:
    home = SUITES.parent
    return [spoil(fault, home) for fault in read_faults(folder / "fault.yaml")]


def case(operator: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        return read_cases(CATALOG.operators[operator], read_text(folder / "case.yaml", SOURCE), "case.yaml")

    return read


def report(folder: Path) -> Any:
    """All that `doublecheck` does with a report before a worker is asked."""
    (folder / "journal.jsonl").touch()
    return wrong_values(read_searched(folder).findings, CATALOG)


def results() -> Any:
    return json.loads(campaign("plain").model_dump_json())


@functools.cache
def recorded() -> Any:
    return json.loads((SUITES / "faults" / "moe_routing" / FILE).read_text())


def two_cases() -> Any:
    return next(iter(CATALOG.operators["moe"].workloads.values())).to_data()[:2]


@functools.cache
def program() -> Any:
    return of_yaml("corpus", "programs.yaml", most=1)()["cases"][0]["inputs"]["workload"]


KEPT = "kept.yaml"
READERS = {
    "corpus": Reader(of_yaml("corpus", "moe.yaml", most=2), corpus, KEPT, errors=(CorpusError,)),
    "corpus of programs": Reader(of_yaml("corpus", "programs.yaml", most=2), corpus, KEPT, errors=(CorpusError,)),
    "report": Reader(results, report, "report.json", write_json, (BadInput,)),
    "record": Reader(recorded, records, FILE, write_json, (Unreadable,)),
    "turns": Reader(
        lambda: {"moe/a": {"when": "2026-01-01T00:00:00+00:00", "seconds": 1.5}},
        lambda folder: Turns.read(folder / "turns.json").order([], 3),
        "turns.json",
        write_json,
    ),
    "faults": Reader(
        of_yaml("faults", "block_copy", "copy.yaml"), faults, "fault.yaml", errors=(FaultError,), failed=(274, 6824)
    ),
    "case": Reader(two_cases, case("moe"), "case.yaml", errors=(BadInput, Unreadable)),
    "case of programs": Reader(program, case("programs"), "case.yaml", errors=(BadInput, Unreadable)),
    "line of a journal": Reader(
        lambda: {"event": "start", "target": ["moe", "a", "cpu"], "digest": "d", "workload": [{"seed": 1}]},
        lambda folder: parse_json((folder / "line").read_bytes(), LINE),
        "line",
        write_json,
        (Unreadable,),
    ),
}


def check(reader: Reader, folder: Path, seed: int) -> None:
    """Read one mutated file."""
    (folder / reader.file).write_bytes(mutated(reader.base(), seed, reader.write))
    began = time.process_time()
    assert re.fullmatch(r"[^\n]+", refusal(reader, folder)), seed
    assert time.process_time() - began < SECONDS, seed


def refusal(reader: Reader, folder: Path) -> str:
    try:
        reader.read(folder)
    except reader.errors as error:
        return str(error)
    return "read"


@pytest.mark.parametrize("name", READERS)
def test_a_right_file_is_read(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    (tmp_path / reader.file).write_bytes(reader.write(reader.base()))
    reader.read(tmp_path)


@pytest.mark.parametrize("name", READERS)
def test_what_once_failed_does_not(name: str, tmp_path: Path) -> None:
    for seed in READERS[name].failed:
        check(READERS[name], tmp_path, seed)


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_read_or_refused_in_one_line(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("mutated")

    @settings(FEW, max_examples=25)
    @given(st.integers(MANY, 2**63))
    def mutate(seed: int) -> None:
        check(READERS[name], folder, seed)

    mutate()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", READERS)
def test_ten_thousand_mutated_files_are_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    for seed in range(MANY):
        check(READERS[name], tmp_path, seed)
