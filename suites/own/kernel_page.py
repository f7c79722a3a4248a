"""The page of a hand-written kernel: an operator whose meaning is a PyTorch function, and the kernel under test."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from eagerdiff import Drawing, Implementation, Inputs, Judging, Operator, Showing, UnscriptableError, Workload
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.strategies.own_code.simplification import simpler
from eagerdiff.suites.own.called import FunctionCall
from eagerdiff.suites.own.launched import Launched, launched

WAY = "kernel"
"""What the kernel is called among an operator's implementations."""


@dataclass(frozen=True, kw_only=True)
class KernelPage:
    """Hold all that is known of a kernel."""

    name: str
    """Of the operator."""
    kernel: FunctionCall
    reference: FunctionCall
    interface: Interface
    sums_in_float32: bool = False
    """Whether it promises sums in float32 for narrower dtypes."""
    first: tuple[Workload[OwnCase], ...] = ()
    """What is run before anything is drawn."""
    source: str = ""
    """Source that stands alone and defines `reference` and `tested`; empty where there is none."""

    def operator(self) -> Operator[OwnCase]:
        """Return the operator."""
        return Operator(
            name=self.name,
            case=OwnCase,
            inputs=self.inputs,
            reference=self.reference.reference,
            cases=self.interface.cases,
            mutates=range(64),
            implementations=[self._implementation()],
            drawing=Drawing(
                workload_cases=self.interface.workload_cases,
                simpler=self._simpler,
                shrinks_itself=True,
                first=self.first,
                check_inputs=self.interface.outside,
            ),
            judging=Judging(may_raise=True, accumulates="float32" if self.sums_in_float32 else "as_eager"),
            showing=Showing(source=self._standalone),
        )

    def inputs(self, case: OwnCase, device: str) -> Inputs:
        """Build the arguments of a call."""
        return self.interface.inputs(case, device)

    def _simpler(self, workload: Workload[OwnCase]) -> Iterator[Workload[OwnCase]]:
        for simple in simpler(workload, self.interface):
            if all(self.interface.unsupported(case) is None for case in simple.cases):
                yield simple

    def _implementation(self) -> Implementation[OwnCase]:
        return Implementation(
            operator=self.name,
            name=WAY,
            build=self._build,
            supports=self.interface.unsupported,
            kernels=lambda: launched(self.kernel.function).kernels,
            source=self._tested,
        )

    def _build(self, case: OwnCase) -> Callable[..., Any]:
        called = self.kernel.around(self.kernel.eager(), self.kernel.eager())
        if self.interface.configs == 1:
            return called
        found = launched(self.kernel.function)

        def call(*args: Any) -> Any:
            with _taking(found, case.config):
                return called(*args)

        return call

    def _standalone(self, case: OwnCase) -> str:
        if not self.source:
            raise UnscriptableError(f"{self.name} has no source that stands alone")
        return self.source

    def _tested(self, case: OwnCase) -> str:
        tuned = _TUNED.format(config=case.config) if self.interface.configs > 1 else ""
        return f"{tuned}\nimplementation = tested\n"


_TUNED = """import gc, triton
for tuner in [one for one in gc.get_objects() if isinstance(one, triton.runtime.Autotuner)]:
    tuner.configs = [tuner.configs[{config} % len(tuner.configs)]]"""


@contextmanager
def _taking(found: Launched, config: int) -> Generator[None]:
    """Have each autotuner know one of its configurations alone."""
    before = [tuner.configs for tuner in found.tuners]
    for tuner, configs in zip(found.tuners, before, strict=True):
        tuner.configs = [configs[config % len(configs)]] if configs else configs
    try:
        yield
    finally:
        for tuner, configs in zip(found.tuners, before, strict=True):
            tuner.configs = configs
