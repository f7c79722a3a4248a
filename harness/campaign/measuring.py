"""Measuring: an operator's metrics, taken in a process of their own that may die or hang."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from eagerdiff.harness.catalog.plugin import for_child, from_parent, in_one_line
from eagerdiff.harness.processes.fresh_process import python, run_fresh, telling_line
from eagerdiff.harness.reading import RECORD, Unreadable, misfit, parse_json, read_bytes
from eagerdiff.harness.results.results import OperatorMetrics

SECONDS = 60.0
"""How long an operator's metrics may take."""


def measure(operator: str, going: Callable[[], bool] = lambda: True, seconds: float = SECONDS) -> OperatorMetrics:
    """Take the metrics of an operator, by name or spec; what goes wrong is one line in `problem`.

    Ends early, with no figure, where `going` says no.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "metrics.json"
        code, said = run_fresh(
            python(__name__, json.dumps(for_child([operator])), str(out)), seconds, going, Path.cwd()
        )  # a spec may be a relative path
        if code is None:
            why = f"took more than {seconds:g} s" if going() else "were interrupted"
            return OperatorMetrics(operator=operator, problem=f"its metrics {why}")
        try:
            return OperatorMetrics.model_validate(parse_json(read_bytes(out, RECORD), RECORD))
        except Unreadable:
            told = f": {line}" if (line := telling_line(said)) else ""
            return OperatorMetrics(operator=operator, problem=f"its metrics ended with exit code {code}{told}")
        except ValidationError as error:
            return OperatorMetrics(operator=operator, problem=f"its metrics are none: {misfit(error)}")


def main(told: str, out: str) -> None:
    """Take an operator's metrics in this process, and write them to a file as JSON."""
    (operator,) = from_parent(json.loads(told))
    Path(out).write_text(_take(operator).model_dump_json(), encoding="utf-8")


def _take(operator: str) -> OperatorMetrics:
    """Load an operator and call its `metrics`."""
    from eagerdiff.harness.catalog.catalog import load

    catalog = load([operator])
    if not catalog.operators:
        return OperatorMetrics(operator=operator, problem="; ".join(catalog.problems))
    name, found = next(iter(catalog.operators.items()))
    try:
        return OperatorMetrics(operator=name, metrics=list(found.extras.metrics() if found.extras.metrics else ()))
    except ValidationError as error:
        return OperatorMetrics(operator=name, problem=f"its metrics are none: {misfit(error)}")
    except Exception as error:  # noqa: BLE001  a third party's code: said in the report, and the rest goes on
        return OperatorMetrics(operator=name, problem=f"its metrics raised {in_one_line(error)}")
