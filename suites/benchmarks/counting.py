"""What can be counted of Triton kernels with no GPU: they are compiled for one over a fixed workload, and not run."""

from typing import Any

from harness.devices.offline import OfflineReport, capture

from .subjects import Subject, subject
from .suite import per_operator

TARGET = "sm_90"


class _Counting:
    """Compile every launch of a workload for a GPU that need not be there."""

    version = "1"
    timeout = 300
    operator: str
    param_names = ("implementation", "workload")

    def setup(self, implementation: str, workload: str) -> None:
        """Look the pair up; skip it where it is not supported."""
        self.subject = subject(self.operator, implementation, workload, "offline")

    def track_specialisations(self, *_: Any) -> int:
        """Count the kernels that Triton compiles over the workload: sizes of 1, divisible by 16, pointers unaligned."""
        return len(reports(self.subject))

    track_specialisations.unit = "kernels"  # type: ignore[attr-defined]

    def track_registers(self, *_: Any) -> int:
        """Count the registers a thread of the kernel that needs most."""
        return max(report.registers for report in reports(self.subject))

    track_registers.unit = "registers"  # type: ignore[attr-defined]

    def track_spills(self, *_: Any) -> int:
        """Count the bytes that all kernels spill to local memory."""
        return sum(report.spill_bytes for report in reports(self.subject))

    track_spills.unit = "bytes"  # type: ignore[attr-defined]


def reports(chosen: Subject) -> list[OfflineReport]:
    """Compile a workload's launches; one report a specialisation."""
    with capture(TARGET) as found:
        call = chosen.implementation.build(chosen.workload.cases[0])
        for case in chosen.workload.cases:
            inputs = chosen.operator.inputs(case, "cpu")
            call(*inputs.args, **inputs.options)
    return list(found)


globals().update(per_operator(_Counting, "offline"))
