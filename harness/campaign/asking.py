"""Asking an operator for its metrics or its vocabulary, in a process of its own that may die or hang."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from eagerdiff.harness.catalog.plugin import for_child, from_parent, in_one_line
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.processes.fresh_process import python, run_fresh, telling_line
from eagerdiff.harness.reading import RECORD, Unreadable, misfit, parse_json, read_bytes
from eagerdiff.harness.results.coverage import Vocabulary
from eagerdiff.harness.results.results import OperatorMetrics

METRICS_SECONDS = 60.0
"""How long an operator's metrics may take."""
VOCABULARY_SECONDS = 900.0
"""How long reading the table that an operator draws from may take, on a machine that has not read it yet."""
Answer = TypeVar("Answer", OperatorMetrics, Vocabulary)


def measure(
    operator: str, going: Callable[[], bool] = lambda: True, seconds: float = METRICS_SECONDS
) -> OperatorMetrics:
    """Take the metrics of an operator, by name or spec; what goes wrong is one line in `problem`.

    Ends early, with no figure, where `going` says no.
    """
    return _ask(operator, OperatorMetrics, "metrics", going, seconds)


def read_vocabulary(
    operator: str, going: Callable[[], bool] = lambda: True, seconds: float = VOCABULARY_SECONDS
) -> Vocabulary:
    """Read the vocabulary of an operator, by name or spec; what goes wrong is one line in `problem`.

    Ends early, with no word, where `going` says no.
    """
    return _ask(operator, Vocabulary, "vocabulary", going, seconds)


def _ask(operator: str, kind: type[Answer], what: str, going: Callable[[], bool], seconds: float) -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answer.json"
        code, said = run_fresh(
            python(__name__, json.dumps(for_child([operator])), what, str(out)), seconds, going, Path.cwd()
        )  # a spec may be a relative path
        if code is None:
            why = f"took more than {seconds:g} s" if going() else "was interrupted"
            return kind(operator=operator, problem=f"its {what}: {why}")
        try:
            return kind.model_validate(parse_json(read_bytes(out, RECORD), RECORD))
        except Unreadable:
            told = f": {line}" if (line := telling_line(said)) else ""
            return kind(operator=operator, problem=f"its {what}: exit code {code}{told}")
        except ValidationError as error:
            return kind(operator=operator, problem=f"its {what}: {misfit(error)}")


def main(told: str, what: str, out: str) -> None:
    """Ask an operator in this process, and write what it says to a file as JSON."""
    (operator,) = from_parent(json.loads(told))
    answer = (
        _asked(operator, OperatorMetrics, what, _metrics)
        if what == "metrics"
        else _asked(operator, Vocabulary, what, _vocabulary)
    )
    Path(out).write_text(answer.model_dump_json(), encoding="utf-8")


def _asked(operator: str, kind: type[Answer], what: str, ask: Callable[[Operator], Answer]) -> Answer:
    """Load an operator and ask it."""
    from eagerdiff.harness.catalog.catalog import load

    catalog = load([operator])
    if not catalog.operators:
        return kind(operator=operator, problem="; ".join(catalog.problems))
    name, found = next(iter(catalog.operators.items()))
    try:
        return ask(found)
    except ValidationError as error:
        return kind(operator=name, problem=f"its {what}: {misfit(error)}")
    except Exception as error:  # noqa: BLE001  a third party's code: said in the report, and the rest goes on
        return kind(operator=name, problem=f"its {what} raised {in_one_line(error)}")


def _metrics(operator: Operator) -> OperatorMetrics:
    take, compare = operator.extras.metrics, operator.extras.comparison
    return OperatorMetrics(
        operator=operator.name, metrics=list(take()) if take else [], comparison=compare() if compare else None
    )


def _vocabulary(operator: Operator) -> Vocabulary:
    read = operator.extras.vocabulary
    return Vocabulary(operator=operator.name, words=dict(read()) if read else {})
