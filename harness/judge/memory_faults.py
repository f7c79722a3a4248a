"""What kernels touched that they must not, or must not as they did."""

from eagerdiff.harness.devices.watch import MemoryWatch, Wrong
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict

_MEMORY: dict[Wrong, tuple[Status, Oracle]] = {
    "outside": (Status.OUT_OF_BOUNDS, Oracle.BOUNDS),
    "race": (Status.RACE, Oracle.RACE),
    "uninitialised": (Status.UNWRITTEN, Oracle.UNWRITTEN),
}
"""The gravest first: what a call did is told by that."""


def judge_memory(watch: MemoryWatch) -> Verdict:
    """Return the verdict on what kernels touched that they must not, or must not as they did."""
    fault = min(watch.faults, key=lambda one: list(_MEMORY).index(one.wrong))
    numbers = {"lanes": float(fault.lanes), "offset": float(fault.offset), "extent": float(fault.extent)}
    reason = f"{fault.kernel}: {fault.what} at element {fault.offset} of {fault.extent}"
    status, oracle = _MEMORY[fault.wrong]
    frame = f"{fault.kernel}:{fault.argument}"
    return Verdict(status=status, reason=reason, oracle=oracle, numbers=numbers, frame=frame)
