"""Compilations held against the compile model, both ends."""

import re
from collections.abc import Collection, Sequence

from eagerdiff.harness.judge.blame import broken
from eagerdiff.harness.ledger import Signature, expected
from eagerdiff.harness.model.excuse import excused
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import CompileRecord
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload

_SERIAL = re.compile(r"_\d+$")
"""What sets one build's copy of a function apart from the next one's."""
_SERIAL_IN_LINE = re.compile(r"( in \w+?)_\d+:")
_HELD = re.compile(r"size mismatch at index (\d+)\. expected (\d+)")
_CONSTANT = re.compile(r"size mismatch at index \d+\. expected (\d+)|\bsize\(\)\[\d+\] == (\d+)$")
"""A guard that holds a size to one number."""


def check_compiles(
    implementation: Implementation,
    workload: Workload,
    signatures: Sequence[Signature],
    records: Sequence[CompileRecord],
    count: int,
    fell_back: str,
    *,
    failed: bool = False,
    called_by: Sequence[int] | None = None,
) -> tuple[Verdict, int | None, str]:
    """Return the verdict on a workload's compilations, how many were allowed, and a note where there were fewer.

    The implementation's own limit goes before the model's. `fell_back` says why eager ran in place of compiled code;
    `failed`, that some case failed, which explains why nothing was compiled; `called_by`, which case made each call,
    where a case makes several.
    """
    if not signatures:
        return passed(), None, ""
    low, high, why, calls = 0, None, "", ()
    cases = range(len(signatures)) if called_by is None else called_by
    if implementation.mode is not None:
        expectation = expected(implementation.mode, signatures)
        low, high, why = expectation.low, expectation.high, expectation.why
        calls = tuple(cases[call] for call in expectation.calls)
    if implementation.max_compiles is not None:
        try:
            high, why = implementation.max_compiles(workload), "the implementation's own limit"
        except Exception as error:  # noqa: BLE001 - becomes the verdict
            return broken(error, Oracle.COMPILES, "max_compiles"), None, ""
    if fell_back:
        return Verdict(status=Status.FELL_BACK, reason=fell_back[:240], oracle=Oracle.COMPILES), high, ""
    if low > 0 and not records and not failed:
        reason = f"nothing was compiled, eager was compared with eager: {why}"
        return Verdict(status=Status.FELL_BACK, reason=reason[:240], oracle=Oracle.COMPILES), high, ""
    if high is not None and count > high:
        first = _unexpected(records, calls)
        automatic = implementation.mode is not None and implementation.mode.policy == "automatic"
        changed = first is not None and automatic and _had_changed(first, records, signatures, cases)
        return _too_many(count, high, why, first, changed=changed), high, ""
    if (broken_mark := _constant(implementation, workload, records)) is not None:
        return broken_mark, high, ""
    note = f"{count} compiles where the model says at least {low}: {why}" if count < low else ""
    return passed(), high, note


class MarkBroken(ValueError):
    """Say, as torch does where it says anything, that a marked size became a constant."""

    def __init__(self, size: str, number: int) -> None:
        super().__init__(f"You marked {size} as dynamic but your code specialized it to be a constant ({number})")


def _constant(implementation: Implementation, workload: Workload, records: Sequence[CompileRecord]) -> Verdict | None:
    """Return the verdict on a marked size that became a constant in silence and without excuse, or None.

    0 and 1 are compiled apart, but where sizes are unbacked.
    """
    mode = implementation.mode
    if mode is None or not mode.symbolic:
        return None
    for record in records:
        for size, number in record.details.get("constants", {}).items():
            case = workload.cases[max(record.call, 0)]
            apart = number <= 1 and not mode.nothing_apart
            if apart or excused(implementation.excuses, case, MarkBroken(size, number)):
                continue
            return Verdict(
                status=Status.OVER_BUDGET,
                reason=f"a marked size became a constant in silence: {size} == {number}"[:240],
                oracle=Oracle.COMPILES,
                frame=_SERIAL.sub("", record.details.get("function", "")),
                guard=f"{size} == {number}"[:240],
                held=number,
            )
    return None


def _too_many(count: int, allowed: int, why: str, record: CompileRecord | None, *, changed: bool) -> Verdict:
    """Return the verdict on a compile too many, with the guard whose failure cost it."""
    guard = record.reason if record else ""
    return Verdict(
        status=Status.OVER_BUDGET,
        reason=((guard or why) + (" (it had changed before)" if changed else ""))[:240],
        oracle=Oracle.COMPILES,
        numbers={"compiles": float(count)},
        allowed=float(allowed),
        frame=_SERIAL.sub("", record.details.get("function", "")) if record else "",
        guard=guard[:240],
        line=_SERIAL_IN_LINE.sub(r"\1:", record.details.get("line", ""))[:240] if record else "",
        held=held_to(guard),
        held_anew=changed,
    )


def held_to(guard: str) -> int | None:
    """Return the one number that a guard holds a size to; None where it leaves a choice."""
    found = _CONSTANT.search(guard)
    return int(found[1] or found[2]) if found else None


def _unexpected(records: Sequence[CompileRecord], calls: Collection[int]) -> CompileRecord | None:
    """Return the first recompilation at a call where the model sees none; the last one where each is at such a call."""
    again = [record for record in records if record.reason]
    return next((record for record in again if record.call not in calls), again[-1] if again else None)


def _had_changed(
    record: CompileRecord, records: Sequence[CompileRecord], signatures: Sequence[Signature], cases: Sequence[int]
) -> bool:
    """Whether the guard that failed holds a size to a number though that size had changed before it was made.

    The code that the guard belongs to is the newest: a mode that finds out for itself what changes had reason enough.
    """
    found = _HELD.search(record.reason)
    before = [other.call for other in records if other.frame == record.frame and other.call < record.call]
    if found is None or not before:
        return False
    dim, held, made = int(found[1]), int(found[2]), max(before)
    sizes = [
        {tensor.path: tensor.shape[dim] for tensor in one.tensors if len(tensor.shape) > dim}
        for one, case in zip(signatures, cases, strict=False)
        if case <= made
    ]
    return any(size == held and any(met.get(path, size) != size for met in sizes) for path, size in sizes[-1].items())
