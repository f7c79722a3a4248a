"""Reading: every file and text that others may have written, within bounds; what does not fit is one line."""

from eagerdiff.harness.reading.bounds import (
    ANSWER,
    CASE,
    CORPUS,
    FAULTS,
    HISTORY,
    ISSUES,
    LINE,
    RECORD,
    REPORT,
    SOURCE,
    TURNS,
    Bounds,
    Unreadable,
)
from eagerdiff.harness.reading.file import read_bytes, read_text
from eagerdiff.harness.reading.json_text import parse_json
from eagerdiff.harness.reading.misfit import fitted, misfit
from eagerdiff.harness.reading.yaml_text import parse_yaml

__all__ = [
    "ANSWER",
    "CASE",
    "CORPUS",
    "FAULTS",
    "HISTORY",
    "ISSUES",
    "LINE",
    "RECORD",
    "REPORT",
    "SOURCE",
    "TURNS",
    "Bounds",
    "Unreadable",
    "fitted",
    "misfit",
    "parse_json",
    "parse_yaml",
    "read_bytes",
    "read_text",
]
