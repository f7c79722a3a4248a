"""Traces: what torch's structured log (`TORCH_TRACE`, which `tlparse` reads) holds of generated code."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CODE = ("inductor_output_code", "dynamo_output_graph", "aot_forward_graph", "aot_backward_graph", "exported_program")
"""Records whose payload is code."""


def code_of(log: Path) -> Iterator[tuple[str, str]]:
    """Return the name and the text of each piece of code in a log, in the order in which they were made.

    A record is a line of JSON behind a prefix; what belongs to it follows on lines that begin with a tab.
    """
    kind, body = "", list[str]()
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith("\t"):
            body.append(line[1:])
            continue
        if kind and body:
            yield kind, "\n".join(body) + "\n"
        kind, body = _kind(line), []
    if kind and body:
        yield kind, "\n".join(body) + "\n"


def _kind(line: str) -> str:
    """Return which code a record announces; empty where none."""
    _, bracket, text = line.partition("] {")
    try:
        record: Any = json.loads("{" + text) if bracket else {}
    except ValueError:
        return ""
    return next((name for name in CODE if name in record and "has_payload" in record), "")
