"""Compilations held against the compile model, both ends (DESIGN §6)."""

import re
from collections.abc import Sequence

from harness.implementation import Implementation
from harness.judge.exceptions import raised
from harness.ledger import Signature, expected
from harness.outcome import CompileRecord
from harness.verdict import Status, Verdict, passed
from harness.workload import Workload

_SERIAL = re.compile(r"_\d+$")
"""What sets one build's copy of a function apart from the next one's."""


def check_compiles(
    implementation: Implementation,
    workload: Workload,
    signatures: Sequence[Signature],
    records: Sequence[CompileRecord],
    count: int,
    fell_back: str,
    *,
    failed: bool = False,
) -> tuple[Verdict, int | None, str]:
    """Return the verdict on a workload's compilations, how many were allowed, and a note where there were fewer.

    The implementation's own limit goes before the model's. `fell_back` says why eager ran in place of compiled code;
    `failed`, that some case failed, which explains why nothing was compiled.
    """
    if not signatures:
        return passed(), None, ""
    low, high, why = 0, None, ""
    if implementation.mode is not None:
        expectation = expected(implementation.mode, signatures)
        low, high, why = expectation.low, expectation.high, expectation.why
    if implementation.max_compiles is not None:
        try:
            high, why = implementation.max_compiles(workload), "the implementation's own limit"
        except Exception as error:  # noqa: BLE001 - becomes the verdict
            return raised(error, oracle="compiles", prefix="max_compiles raised "), None, ""
    if fell_back:
        return Verdict(status=Status.FELL_BACK, reason=fell_back[:240], oracle="compiles"), high, ""
    if low > 0 and not records and not failed:
        reason = f"nothing was compiled, eager was compared with eager: {why}"
        return Verdict(status=Status.FELL_BACK, reason=reason[:240], oracle="compiles"), high, ""
    if high is not None and count > high:
        numbers = {"compiles": float(count), "allowed": float(high)}
        last = next((record for record in reversed(records) if record.reason), None)
        reason = (last.reason if last else why)[:240]
        frame = _SERIAL.sub("", last.details.get("function", "")) if last else ""
        verdict = Verdict(status=Status.OVER_BUDGET, reason=reason, oracle="compiles", numbers=numbers, frame=frame)
        return verdict, high, ""
    note = f"{count} compiles where the model says at least {low}: {why}" if count < low else ""
    return passed(), high, note
