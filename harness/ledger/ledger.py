"""The ledger: one record a compilation, from five layers."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self

from eagerdiff.harness.internals.ahead import export_function, precompile_function
from eagerdiff.harness.ledger.ahead import AheadLayer
from eagerdiff.harness.ledger.dynamo import DynamoLayer
from eagerdiff.harness.ledger.triton import TritonLayer
from eagerdiff.harness.model.outcome import CompileRecord

_FRONT_TO_BACK = ("dynamo", "precompile", "export", "triton")
_CALLED = re.compile(r"not \w+|len\(|___check_")
"""Begin of a guard that is on no tensor: `___check_obj_id(f.__code__, …)` of a closure, `len(args) == 1`."""


class Layer(Protocol):
    """Watch one compiler while a ledger is open."""

    def start(self) -> None:
        """Begin to watch; import nothing that is not loaded yet."""
        ...

    def drain(self, call: int) -> list[CompileRecord]:
        """Return what was compiled since the last drain, as caused by call number `call`."""
        ...

    def stop(self) -> None:
        """Undo what `start` and `drain` installed."""
        ...


class Ledger:
    """Record every compilation between entry and exit: Dynamo, AOTAutograd, Inductor, Triton, export, precompilation.

    Name the call that is about to run with `at(index)`; before the first, records carry call -1 (the build).
    It can be read while open. Not re-entrant: open one ledger at a time in a process.
    """

    def __init__(self) -> None:
        self._records: list[CompileRecord] = []
        self._noted: set[tuple[str, str]] = set()
        self._launches: dict[int, Counter[str]] = {}
        self._call = -1
        self._open = False
        self._dynamo = DynamoLayer()
        self._triton = TritonLayer()
        ahead = AheadLayer("export", export_function), AheadLayer("precompile", precompile_function)
        self._layers: tuple[Layer, ...] = (self._dynamo, *ahead, self._triton)

    def __enter__(self) -> Self:
        for layer in self._layers:
            layer.start()
        self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._drain()
        self._open = False
        for layer in reversed(self._layers):
            layer.stop()

    def at(self, call: int) -> None:
        """Say that what is compiled from now on is caused by the case at index `call` of the workload."""
        self._drain()
        self._call = call

    def note(self, specialisations: Iterable[tuple[str, str]]) -> None:
        """Record the kernels (name, specialisation) that Triton would have compiled; those known are passed over."""
        for kernel, reason in specialisations:
            if (kernel, reason) not in self._noted:
                self._noted.add((kernel, reason))
                self._records.append(CompileRecord(layer="triton", frame=kernel, call=self._call, reason=reason))

    def launched(self, kernels: Mapping[str, int]) -> None:
        """Record how often the interpreter launched each kernel in this call; on a GPU the ledger sees for itself."""
        if kernels:
            self._launches.setdefault(self._call, Counter()).update(kernels)

    @property
    def launches(self) -> dict[int, dict[str, int]]:
        """How often each Triton kernel was launched, by call; what an autotuner launched to time it is left out."""
        self._drain()
        return {call: dict(kernels) for call, kernels in self._launches.items()}

    @property
    def records(self) -> list[CompileRecord]:
        """Every compilation so far, oldest first; recompile-limit hits and failures included."""
        self._drain()
        return self._records

    @property
    def counts(self) -> dict[str, int]:
        """Successful compilations by `layer:frame` (each resume function after a graph break is a frame of its own)."""
        return dict(Counter(f"{record.layer}:{record.frame}" for record in self.records if not record.failed))

    @property
    def compile_count(self) -> int:
        """Most compilations of one frame; of one exported program or kernel where Dynamo compiled nothing.

        All configurations that an autotuner times for one key are one compilation. A frame whose code serves several
        functions, as a decorator's does, is compiled for each of them: then it is their mean, rounded up.
        """
        outer = [record for record in self.records if not record.failed and record.details.get("inside") != "export"]
        for layer in _FRONT_TO_BACK:
            ours = [record for record in outer if record.layer == layer]
            tuned = {(record.frame, record.details["choice"]) for record in ours if "choice" in record.details}
            counts = Counter(record.frame for record in ours if "choice" not in record.details)
            counts.update(frame for frame, _ in tuned)
            if counts:
                return max(math.ceil(count / _functions(frame, ours)) for frame, count in counts.items())
        return 0

    @property
    def entry_count(self) -> int:
        """Compilations of the first frame: the one whose inputs the compile model knows where graphs break."""
        frames = (record for record in self.records if record.layer == "dynamo" and not record.details.get("inside"))
        first = next((record.frame for record in frames), None)
        return self.counts.get(f"dynamo:{first}", 0) if first is not None else self.compile_count

    @property
    def graph_breaks(self) -> int:
        """Graph breaks over all records."""
        return sum(record.graph_breaks for record in self.records)

    @property
    def seconds(self) -> float:
        """Time spent compiling; layers that ran inside Dynamo are not counted twice."""
        outer = [record for record in self.records if not record.details.get("inside")]
        return sum(record.seconds for record in outer)

    @property
    def fell_back(self) -> str:
        """Why eager ran instead: Dynamo's recompile limit, or a suppressed error; empty if compiled code ran."""
        return next((text for record in self.records if (text := record.details.get("fell_back", ""))), "")

    @property
    def ran_eagerly(self) -> str:
        """Why no frame at all was compiled although Dynamo tried (a graph break inside a loop); empty otherwise."""
        tried = [record for record in self.records if record.layer == "dynamo"]
        if not tried or any(not record.failed for record in tried):
            return ""
        return f"no frame was compiled: {tried[0].failed}: {tried[0].details.get('fail_reason', '')}"

    @property
    def contaminated(self) -> str:
        """Why the counts are not this workload's own (its code object was compiled before); empty if they are."""
        return next((text for record in self.records if (text := record.details.get("contaminated", ""))), "")

    def _drain(self) -> None:
        if not self._open:
            return
        self.launched(self._triton.drain_launches())
        fresh = [record for layer in self._layers for record in layer.drain(self._call)]
        if any(record.layer == "export" for record in fresh):
            _mark_inside(fresh)
        self._records.extend(fresh)


def _mark_inside(records: Iterable[CompileRecord]) -> None:
    """Tell what export had compiled for itself (strict tracing, the branches of a `cond`) from the program it made."""
    for record in records:
        if record.layer == "dynamo":
            record.details["inside"] = "export"


def _functions(frame: str, records: Sequence[CompileRecord]) -> int:
    """Return how many functions the code of a frame of Dynamo's serves.

    The call that meets it first compiles it for each: the guards that fail are on what is called, and with how much.
    """
    ours = [record for record in records if record.frame == frame]
    first = [record for record in ours if record.call == ours[0].call and record.reason]
    return 1 + sum(_CALLED.match(record.reason) is not None for record in first)
