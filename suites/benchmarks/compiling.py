"""Compile counts and compile seconds over a fixed workload."""

import time
from typing import Any

from eagerdiff.harness.devices import parse
from eagerdiff.harness.ledger import Ledger

from .subjects import Subject, device
from .suite import PerWorkload, per_operator


class _Compiling(PerWorkload):
    """Build once, call every shape of the workload in order, and count what was compiled."""

    def track_compiles(self, *_: Any) -> int:
        """Count compilations as the compile model counts them: the most over any one frame."""
        return run(self.subject)[0]

    track_compiles.unit = "compiles"  # type: ignore[attr-defined]

    def track_compile_seconds(self, *_: Any) -> float:
        """Metric the wall-clock seconds that the first pass over the workload takes beyond a second pass."""
        return run(self.subject)[1]

    track_compile_seconds.unit = "seconds"  # type: ignore[attr-defined]


def run(chosen: Subject) -> tuple[int, float]:
    """Run a workload on a fresh build; return compiles, and the seconds that compiling cost."""
    import torch

    torch.compiler.reset()
    on = parse(device())
    on.activate()
    inputs = [chosen.operator.inputs(case, on.torch_device) for case in chosen.workload.cases]
    with Ledger() as ledger:
        call = chosen.implementation.build(chosen.workload.cases[0])
        first = time.perf_counter()
        for index, item in enumerate(inputs):
            ledger.at(index)
            call(*item.args, **item.options)
        middle = time.perf_counter()
    for item in inputs:
        call(*item.args, **item.options)
    return ledger.compile_count, max(0.0, (middle - first) - (time.perf_counter() - middle))


globals().update(per_operator(_Compiling))
