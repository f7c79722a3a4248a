"""The page of one's own code: an operator made of what is called and what it takes, under every way of compiling."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from torch import Tensor

from eagerdiff import (
    Drawing,
    Excuse,
    Implementation,
    Inputs,
    Judging,
    Mode,
    Operator,
    Showing,
    UnscriptableError,
    Workload,
    expected_compiles,
    signature,
)
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.excuses import constant_number, specialisation
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.inductor_settings import simpler as fewer_settings
from eagerdiff.compiled.limits import interpreted
from eagerdiff.compiled.torch_compile import MODES, Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.compiled.variant import CONFIGURED, OBLIVIOUS, UNBACKED_BOUNDED
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import SizeItself
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.strategies.own_code.simplification import simpler
from eagerdiff.suites.own.called import Called, ModuleCall
from eagerdiff.suites.own.module_source import STATEFUL, STATELESS

UNPADDED = tuple(mode for mode in MODES if not mode.padded)
"""Padding changes what most code gives."""
MOST_INTERPRETED = 1 << 14
"""Elements of one tensor where Inductor's GPU code runs on the processor."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """Hold all that is known of one's own code."""

    name: str
    """Of the operator."""
    called: Called
    interface: Interface
    fullgraph: bool = False
    random: bool = False
    """Whether it draws random numbers."""
    changes_state: bool = False
    """Whether a call changes the module's buffers."""
    max_compiles: int | None = None
    """Most compiles of a workload; None leaves it to the compile model."""
    first: tuple[Workload[OwnCase], ...] = ()
    """What is run before anything is drawn."""
    source: str = ""
    """Source that stands alone and defines `reference`; empty where there is none, and then findings have no script."""

    def operator(self) -> Operator[OwnCase]:
        """Return the operator."""
        return Operator(
            name=self.name,
            case=OwnCase,
            inputs=self.inputs,
            reference=self.called.reference,
            cases=self.interface.cases,
            mutates=range(64),
            implementations=[*map(self._limited, self._compiled()), *self._exported()],
            drawing=Drawing(
                workload_cases=self.interface.workload_cases,
                simpler=self._simpler,
                shrinks_itself=True,
                first=self.first,
                check_inputs=self.interface.outside,
            ),
            judging=Judging(may_raise=True, strides="promised", random=lambda given: self.random),
            showing=Showing(source=self._standalone),
        )

    def inputs(self, case: OwnCase, device: str) -> Inputs:
        """Build the arguments of a call, and after them the state of a module."""
        given = self.interface.inputs(case, device)
        if not isinstance(self.called, ModuleCall):
            return given
        state = {name: tensor.clone().to(device) for name, tensor in self.called.state.items()}
        return replace(given, args=(*given.args, state))

    def inference(self) -> "Page":
        """Return the same with no gradients taken: what exported programs are for."""
        return replace(self, called=self.called.inference()) if self.called.gradients else self

    def _standalone(self, case: OwnCase) -> str:
        if not self.source:
            raise UnscriptableError(f"{self.name} has no source that stands alone: it needs its module or a state")
        return self.source

    def _simpler(self, workload: Workload[OwnCase]) -> Iterator[Workload[OwnCase]]:
        yield from fewer_settings(workload)
        yield from simpler(workload, self.interface)

    def _compiled(self) -> list[Implementation[OwnCase]]:
        return Compilable[OwnCase](
            operator=self.name,
            function=lambda case: self.called.eager(),
            dims=self._dims,
            excuses=self._excuses,
            fullgraph=lambda case: self.fullgraph,
            around=lambda case, function, compiled: self.called.around(function, compiled),
            around_source=self._around(STATEFUL),
            name="program",
            options=lambda case: {"fallback_random": True} if self.random else {},
            random=lambda case: self.random,
            kept_settings=lambda case: case.settings,
        ).implementations(modes=UNPADDED, variants=(UNBACKED_BOUNDED, OBLIVIOUS, CONFIGURED))

    def _exported(self) -> list[Implementation[OwnCase]]:
        return exports(
            self.name,
            lambda case: self.called.eager(),
            declared=self._declared(exported=True),
            example=lambda case: self.interface.inputs(self._example(case), "cpu"),
            supports=self._unexported,
            around=lambda case, function, exported: self.called.exported(exported),
            around_source=self._around(STATELESS),
            name="program",
        )

    def _around(self, of_module: str) -> str:
        """Return source of what is called in place of what was made of `program`."""
        if isinstance(self.called, ModuleCall):
            return of_module
        return "differentiated({})" if self.called.gradients else "{}"

    def _dims(self, case: OwnCase) -> dict[int | str, dict[int, str]]:
        return dict[int | str, dict[int, str]](self.interface.dims().items())

    def _example(self, case: OwnCase) -> OwnCase:
        """Return the call from which a program is exported: the numbers and options are the case's."""
        return self.interface.example().model_copy(update={"numbers": case.numbers, "choices": case.choices})

    def _declared(self, *, exported: bool = False) -> Declared[OwnCase]:
        counted = [one.size for one in self.interface.arguments.values() if isinstance(one, SizeItself)]
        return Declared(
            dims=self._dims,
            met=lambda case: case.sizes,
            least=self._least,
            parameters=lambda case: list(self.interface.arguments),
            counted=lambda case: counted,
            traced=(lambda case: self.interface.example().sizes) if exported else None,
            numbers=self.interface.numbers if exported else lambda case: {},
        )

    def _least(self, case: OwnCase) -> Mapping[str, int]:
        return {name: self.interface.bounds(name, case.sizes)[0] for name in self.interface.names}

    def _excuses(self, backend: Backend, mode: Mode) -> list[Excuse]:
        found = [constant_number(self._declared())] if mode.needs_dims else []
        if mode == Mode.MARK_DYNAMIC:
            found.append(specialisation(self._declared()))
        return [*found, interpreted(MOST_INTERPRETED, self._elements)] if backend is INDUCTOR_TRITON else found

    def _elements(self, case: OwnCase) -> int:
        given = self.interface.inputs(case, "cpu").args
        return max((value.numel() for value in given if isinstance(value, Tensor)), default=0)

    def _unexported(self, case: OwnCase, path: ExportPath, shapes: Shapes) -> str | None:
        if self.called.gradients:
            return "gradients: an exported program is checked with gradients=False"
        return "an exported program keeps its own state, which this module changes" if self.changes_state else None

    def _limited(self, implementation: Implementation[OwnCase]) -> Implementation[OwnCase]:
        """Hold it to the compiles that its user allows, else to those of the compile model, after a graph break too."""
        mode, most = implementation.mode, self.max_compiles
        if mode is None or (most is None and self.fullgraph):
            return implementation

        def max_compiles(workload: Workload[OwnCase]) -> int:
            if most is not None:
                return most
            signatures = [signature(self.interface.inputs(case, "cpu")) for case in workload.cases]
            return max(expected_compiles(one, signatures).high for one in (mode, mode.after_break))

        return replace(implementation, max_compiles=max_compiles)
