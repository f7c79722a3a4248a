"""Dynamo's layer: frames compiled, why again, guards, graph breaks, the recompile limit."""

import re
from typing import Any

from eagerdiff.harness.internals.dynamo_metrics import compilations, is_graph_break
from eagerdiff.harness.internals.shape_guards import GUARDS, telling
from eagerdiff.harness.ledger.inductor import inductor_record
from eagerdiff.harness.model.outcome import CompileRecord

_LIMIT = "recompile limit exceeded"
_DUE_TO = re.compile(r"  # (.*?)  # (?:[^\s:]*/)?([^\s:/]+:\d+) in (\S+)")


class DynamoLayer:
    """Read `torch._dynamo.utils.get_compilation_metrics()`, which keeps the last 64 compilations of the process."""

    def __init__(self) -> None:
        self._last: Any = None
        self._frames: set[str] = set()
        self._constants: dict[str, int] = {}
        self._original: Any = None

    def start(self) -> None:
        """Remember where the process' metrics end."""
        metrics = compilations()
        self._last = metrics[-1] if metrics else None
        self._listen()

    def drain(self, call: int) -> list[CompileRecord]:
        """Return one `dynamo` record a compiled frame, each followed by its `inductor` record."""
        self._listen()
        fresh = self._fresh()
        constants, self._constants = self._constants, {}
        records: list[CompileRecord] = []
        for metrics in fresh:
            if _is_frame(metrics):
                records.append(self._frame_record(metrics, call))
                if constants and not records[-1].failed:
                    records[-1].details["constants"], constants = constants, {}
            if (inner := inductor_record(metrics, call)) is not None:
                records.append(inner)
        return records

    def stop(self) -> None:
        """Forget the metrics, and listen no more to what becomes of marked sizes."""
        self._last = None
        if self._original is not None:
            GUARDS.replace(self._original)
            self._original = None

    def _listen(self) -> None:
        """Have the guards of marked sizes told, once Dynamo is loaded: loading it takes a second."""
        if self._original is None and (original := GUARDS.loaded()) is not None:
            self._original = GUARDS.replace(telling(original, self._constants_told))

    def _constants_told(self, source: str, number: int) -> None:
        self._constants[source] = number

    def _fresh(self) -> list[Any]:
        metrics = compilations()
        if not metrics or metrics[-1] is self._last:
            return []
        # Not there any more: cleared, or pushed out by newer ones; either way all that is left is new.
        start = next((index + 1 for index in reversed(range(len(metrics))) if metrics[index] is self._last), 0)
        self._last = metrics[-1]
        return metrics[start:]

    def _frame_record(self, metrics: Any, call: int) -> CompileRecord:
        frame = frame_of(metrics)
        first = frame not in self._frames
        self._frames.add(frame)
        reason = readable(metrics.recompile_reason or "")
        breaks = getattr(metrics, "restart_reasons", None) or set()
        details = {
            "compile_id": metrics.compile_id,
            "function": metrics.co_name,
            "ops": getattr(metrics, "graph_op_count", 0) or 0,
        }
        if metrics.fail_type:
            details["fail_reason"] = (metrics.fail_reason or "").partition("\n")[0]
        if line := due_to(metrics.recompile_reason or ""):
            details["line"] = line
        if text := _fell_back(metrics, reason):
            details["fell_back"] = text
        if first and reason:
            details["contaminated"] = f"{metrics.co_name or frame} was compiled before this workload: {reason}"
        return CompileRecord(
            layer="dynamo",
            frame=frame,
            call=call,
            reason=reason,
            seconds=(getattr(metrics, "dynamo_cumulative_compile_time_us", 0) or 0) / 1e6,
            graph_breaks=sum(is_graph_break(text) for text in breaks),
            guards=metrics.guard_count or 0,
            failed=metrics.fail_type or "",
            details=details,
        )


def frame_of(metrics: Any) -> str:
    """Return the frame id of a compilation: `0` of `0/1`."""
    return (metrics.compile_id or "?").rpartition("/")[0]


def readable(reason: str) -> str:
    """Cut a recompile reason down to the guard that failed: no compile id, no user code, one line."""
    text = re.sub(r"^\s*\[?\d+/\d+\]?:\s*", "", reason.partition("\n")[0])
    return text.partition("  # ")[0].strip()


def due_to(reason: str) -> str:
    """Return the line of the program that the guard of a recompile reason is due to: `file.py:8 in f: code`."""
    found = _DUE_TO.search(reason.partition("\n")[0])
    return f"{found[2]} in {found[3]}: {found[1].strip()}" if found else ""


def _is_frame(metrics: Any) -> bool:
    """Whether Dynamo translated (or refused) a frame; the rest is backward graphs and work at run time."""
    return metrics.co_name is not None or (metrics.fail_type is not None and metrics.is_forward is not False)


def _fell_back(metrics: Any, reason: str) -> str:
    if _LIMIT in (metrics.fail_reason or "") or metrics.fail_type == "FailOnRecompileLimitHit":
        return f"recompile limit hit, last reason: {reason}"
    if metrics.fail_type and getattr(metrics, "config_suppress_errors", False):
        return f"{metrics.fail_type} was suppressed: {(metrics.fail_reason or '').partition(chr(10))[0]}"
    return ""
