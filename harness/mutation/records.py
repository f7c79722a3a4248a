"""Records of comparisons, kept beside the faults: written by a selfcheck, read by the reports."""

from collections.abc import Iterable
from pathlib import Path

from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.mutation.faults import FaultError, faults_of
from eagerdiff.harness.reading import RECORD, Unreadable, fitted, parse_json, read_bytes
from eagerdiff.harness.results.detection import Reading, Record

FILE = "detection.json"
"""Stands in the operator's folder of faults; only `eagerdiff selfcheck --baselines --record` writes it."""


def write_record(record: Record, operator: Operator) -> Path:
    """Write a record beside the operator's faults and return its path; raise OSError where that cannot be."""
    assert operator.extras.faults is not None
    path = operator.extras.faults / FILE
    path.write_text(record.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def read_records(operators: Iterable[Operator]) -> tuple[list[Reading], list[str]]:
    """Read the record of each operator that has one; return in one line each those that cannot be read."""
    readings: list[Reading] = []
    problems: list[str] = []
    for operator in operators:
        path = operator.extras.faults / FILE if operator.extras.faults is not None else None
        if path is None or not path.exists():
            continue
        try:
            readings.append(_read(operator, path))
        except Unreadable as error:
            problems.append(f"{FILE} of {operator.name} {error}")
        except FaultError as error:
            problems.append(str(error))
    return readings, problems


def _read(operator: Operator, path: Path) -> Reading:
    record = fitted(Record, parse_json(read_bytes(path, RECORD), RECORD))
    known = [pair.ours.id for pair in record.pairs]
    today = [fault.id for fault in faults_of(operator)]
    added, gone = ([name for name in one if name not in other] for one, other in ((today, known), (known, today)))
    return Reading(record=record, added=added, gone=gone)
