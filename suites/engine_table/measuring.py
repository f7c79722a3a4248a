"""Measuring: programs under every way that is here, each way in a process of its own, timed in turn, then judged."""

import os
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from eagerdiff import Implementation, Status, Workload, execute, parse_device, unmet
from eagerdiff.compiled import buckets
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.engines.servers.memory import Peak
from eagerdiff.harness.internals.graph_caches import kept_in
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.symbolic import inputs, within
from eagerdiff.suites import symbolic
from eagerdiff.suites.engine_table.line import FIGURES, Line
from eagerdiff.suites.engines import OPERATOR

ROUNDS, TIMES = 15, 5
"""Rounds in which each way is called in turn, so many times at once; the round's figure is the best of those."""
BATCH, SEQ = 16, 7
"""Of the call that is timed: within the bounds of those that need any."""
JUDGED_AT_ONCE = 2
SAID = 200
"""Characters of what a compiler says that are kept."""
EAGER, INDUCTOR = "eager", "inductor.dynamic"
SIMPLE = ("layer_norm", "flatten_tokens")
"""What each way compiles before anything is measured, for a compiler's first use takes seconds."""
_ENGINES = {engine.name: engine for engine in ENGINES}
_FORK: Any = get_context("fork")
_FOLDERS = re.compile(r"/(?:[^\s/\"':]+/)+(?=\w+\.py\b)")
"""Of a file's path all but its name."""


def ways() -> list[Implementation[SymbolicCase]]:
    """Return what is measured: each mode that torch has, and of each engine the widest declaration that it takes."""
    found: dict[str, Implementation[SymbolicCase]] = {}
    for one in OPERATOR.implementations:
        kept = one.name if one.mode is not None or one.backend == "torchscript" else one.backend
        if "cpu" in one.devices and (kept not in found or one.variant == "named"):
            found[kept] = one
    return [*found.values()]


def measure(programs: Sequence[str]) -> Iterator[list[Line]]:
    """Return the lines of each program, one a way; torch's compilers must not have been used in this process."""
    crew = [Measurer(one) for one in (None, *ways())]
    try:
        for program in programs:
            yield _measured(crew, program)
    finally:
        for one in crew:
            one.end()


def measure_one(way: Implementation[SymbolicCase], program: str) -> Line:
    """Return the line of one program under one way, with no ratio to Inductor's."""
    crew = [Measurer(one) for one in (None, way)]
    try:
        return _measured(crew, program)[0]
    finally:
        for one in crew:
            one.end()


def _measured(crew: "Sequence[Measurer]", program: str) -> list[Line]:
    """Compile one after the other, time in turn, judge a few at once."""
    told = {one.name: one.ask("compile", program) for one in crew}
    rounds: dict[str, list[float]] = {one.name: [] for one in crew}
    for _ in range(ROUNDS):
        for one in crew:
            if "why" not in told[one.name]:
                answer = one.ask("round", program)
                told[one.name] |= {key: text for key, text in answer.items() if key == "why"}
                rounds[one.name] += [answer["seconds"]] if "seconds" in answer else []
    with ThreadPoolExecutor(JUDGED_AT_ONCE) as few:
        judged = list(few.map(lambda one: one.ask("judge", program), crew[1:]))
    return [
        _line(program, one.name, told[one.name], answer, rounds) for one, answer in zip(crew[1:], judged, strict=True)
    ]


def _line(
    program: str, way: str, told: Mapping[str, Any], judged: Mapping[str, Any], rounds: Mapping[str, list[float]]
) -> Line:
    broken = str(judged.get("why") or told.get("why", ""))
    line = Line(program=program, kind=EVERY[program].kind, way=way, why=broken)
    line = line.model_copy(update={name: judged[name] for name in ("right", "of", "failed") if name in judged})
    line.figures = dict(told.get("figures", {}))
    if line.right:
        line.figures |= judged["figures"]
        for figure, other in (("to_eager", EAGER), ("to_inductor", INDUCTOR)):
            if len(rounds[way]) == len(rounds.get(other, ())) == ROUNDS:
                line.figures[figure] = median(a / b for a, b in zip(rounds[way], rounds[other], strict=True))
    wanted = {name: _missing(name, line, told) for name in FIGURES if name not in line.figures}
    return line.model_copy(update={"missing": {name: why for name, why in wanted.items() if why != line.why}})


def _missing(figure: str, line: Line, told: Mapping[str, Any]) -> str:
    """Return why a figure is not there."""
    if why := told.get("why") or (not line.right and line.why):
        return str(why)
    return {
        "artifacts": "its process ended at the last call",
        "artifact_bytes": "it keeps no file",
        "export_seconds": "nothing is exported, or not apart from compiling",
        "to_inductor": f"{INDUCTOR} does not compile the program",
    }.get(figure, "not measured")


class Measurer:
    """Have a process that measures one way, or eager; it is begun anew where it has ended."""

    def __init__(self, way: Implementation[SymbolicCase] | None) -> None:
        self._way = way
        self.name = way.name if way else EAGER
        self._process: Any = None
        self._line: Connection | None = None

    def ask(self, what: str, program: str) -> dict[str, Any]:
        """Return what it answers; `why`, where it cannot, or ended."""
        line = self._line or self._started()
        try:
            line.send((what, program))
            return line.recv()
        except (EOFError, OSError):
            self._process.join()
            self._line = None
            return {"why": f"its process ended with exit code {self._process.exitcode}"}

    def _started(self) -> Connection:
        self._line, theirs = _FORK.Pipe()
        assert self._line is not None
        self._process = _FORK.Process(target=_serve, args=(self._way, theirs), daemon=True)
        self._process.start()
        theirs.close()
        return self._line

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()


def _serve(way: Implementation[SymbolicCase] | None, line: Connection) -> None:
    """Answer until nobody asks."""
    warnings.filterwarnings("ignore")
    device = parse_device("cpu")
    device.activate()
    device.begin()
    reason = unmet(way.requires, device) if way else None
    with TemporaryDirectory() as folder, kept_in(lambda: Path(folder)):  # nothing is there of a run before
        own = Own(way)
        if reason is None:
            for program in SIMPLE:
                own.compile(program)
        while True:
            try:
                what, program = line.recv()
            except EOFError:
                os._exit(0)
            if reason is not None:
                line.send({"why": reason})
            else:
                line.send({"compile": own.compile, "round": own.round, "judge": own.judge}[what](program))


class Own:
    """Measure a way in this process."""

    def __init__(self, way: Implementation[SymbolicCase] | None) -> None:
        self._way = way
        self._engine = _ENGINES.get(way.backend) if way else None
        self._call: Callable[[], object] = lambda: None

    def compile(self, program: str) -> dict[str, Any]:
        """Compile a program, call it once, and tell what that cost; `why` where it cannot."""
        case = within(SymbolicCase(program=program, batch=BATCH, seq=SEQ, count=3), {})
        given, way = inputs(case, "cpu"), self._way
        if way is None:
            self._call = lambda: OPERATOR.reference(*given.args, **given.options)
            return {}
        if reason := way.unsupported(case):
            return {"why": reason}
        peak, began = Peak(), time.perf_counter()
        try:
            function = way.build(case)
            built = time.perf_counter() - began
            self._call = lambda: function(*given.args, **given.options)
            first = self._seconds()
        except Exception as error:  # noqa: BLE001 - whatever a compiler raises is told
            return {"why": _said(error)}
        figures = {"first_seconds": first, "compile_seconds": built + first, "peak_bytes": peak.bytes()}
        if self._engine is not None and (artifact := self._engine.made()) is not None:
            told = artifact.tell()
            figures |= {"export_seconds": built - artifact.seconds, "compile_seconds": artifact.seconds + first}
            figures |= {"peak_bytes": told["peak_bytes"]}
            figures |= {"artifact_bytes": told["bytes"]} if "bytes" in told else {}
        return {"figures": figures}

    def round(self, program: str) -> dict[str, Any]:
        """Call it a few times; return the least of the seconds."""
        try:
            return {"seconds": min(self._seconds() for _ in range(TIMES))}
        except Exception as error:  # noqa: BLE001 - whatever a compiler raises is told
            return {"why": _said(error)}

    def judge(self, program: str) -> dict[str, Any]:
        """Judge the program's fixed workload."""
        assert self._way is not None
        workload = symbolic.workload(program)
        outcome = execute(OPERATOR, self._way, workload, parse_device("cpu"), relations=False)
        verdicts = [*outcome.verdicts]
        right = sum(verdict.status is Status.PASSED for verdict in verdicts)
        why = shortened(next((verdict.reason for verdict in verdicts if verdict.reason), ""))
        figures = _over(self._way, workload) if right else {}
        if self._engine is None:
            figures["artifacts"] = max(1, outcome.compile_count)
        elif (artifact := self._engine.made()) is not None:
            figures["artifacts"] = artifact.tell()["artifacts"]
        failed = sum(verdict.failed for verdict in verdicts)
        return {"right": right, "of": len(verdicts), "failed": failed, "why": why, "figures": figures}

    def _seconds(self) -> float:
        """Call it once; return the seconds that passed where it computes."""
        began = time.perf_counter()
        self._call()
        passed = time.perf_counter() - began
        artifact = self._engine.made() if self._engine else None
        return artifact.call_seconds if artifact else passed


def _said(error: BaseException) -> str:
    return shortened(f"{type(error).__name__}: {error}")


def shortened(text: str) -> str:
    """Return what a compiler says in one line, cut, without where this machine keeps the files that it names."""
    return _FOLDERS.sub("", " ".join(text.split()))[:SAID]


def _over(way: Implementation[SymbolicCase], workload: Workload[SymbolicCase]) -> dict[str, float]:
    """Return the share of padding over all sizes of a workload."""
    if way.mode is None or not way.mode.padded:
        return {"padding": 0.0}
    given = padded = 0
    for case in workload.cases:
        dims = symbolic.dims(case)
        for at, tensor in enumerate(inputs(case, "cpu").args):
            given += tensor.numel()
            padded += buckets.pad(tensor, dims[at]).numel()
    return {"padding": 100 * (1 - given / padded)}
