"""Making a kit: a script is run as it is, by layer, by release, and with its outputs measured; nothing is assumed."""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, Field, field_validator

from eagerdiff.harness.corpus.bisection import BisectionError, bisect
from eagerdiff.harness.corpus.interpreters import Ending, Interpreter, State, ending_of
from eagerdiff.harness.corpus.releases import order_of
from eagerdiff.harness.judge.origin import origin_in
from eagerdiff.harness.kit import kernels, layers, trace
from eagerdiff.harness.kit.benches import BenchError, Benches, settings_of
from eagerdiff.harness.kit.issue import issue
from eagerdiff.harness.kit.kit import Kernel, Kit, Output
from eagerdiff.harness.kit.similar import Index
from eagerdiff.harness.processes.fresh_process import python
from eagerdiff.harness.reading import REPORT, SOURCE, Unreadable, fitted, parse_json, read_bytes, read_text
from eagerdiff.harness.sinks import terminal
from eagerdiff.harness.triage.note import Note

FILE = "kit.json"
SCRIPT = "reproduce.py"
LINES = 40
"""Of what a script prints, the last that are quoted."""
TARGET = "sm_90"
"""What Triton kernels are compiled for: an H100."""
PIECES = 40
"""Pieces of generated code that are written."""
_RUNS = re.compile(r"\s*Exits 1 while the bug is there, 0 when it is gone\.?.*", re.DOTALL)


@dataclass(frozen=True)
class Surroundings:
    """Hold what the kits of one run share."""

    here: Interpreter
    environment: str
    """What `torch.utils.collect_env` prints."""
    others: Mapping[str, Interpreter]
    """Release of torch → its Python, this one's among them."""
    index: Index
    seconds: float
    """Most time for one run of a script."""
    benches: Benches


def read_kit(folder: Path) -> Kit | None:
    """Return the kit in a folder; None where there is none that can be read."""
    try:
        return fitted(Kit, parse_json(read_bytes(folder / FILE, REPORT), REPORT))
    except Unreadable:
        return None


def make(
    script: Path, folder: Path, around: Surroundings, note: Note | None = None, done: Callable[[], None] = lambda: None
) -> Kit:
    """Write a script's kit into a folder, whole or not at all, and return what it says; one at a time in each.

    Raises Unreadable for a script that is none, OSError where the disk does not take the kit.
    """
    source = read_text(script, SOURCE)
    try:
        way = layers.way_of(source)
    except SyntaxError as error:
        raise Unreadable(f"is no Python: {error.msg}") from error
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name[:100]}.*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name[:100]}.", dir=folder.parent))
    try:
        (partial / SCRIPT).write_text(source, encoding="utf-8")
        kit = _found(partial, source, script.stem, way, around, note, done)
        (partial / FILE).write_text(kit.model_dump_json(indent=1) + "\n", encoding="utf-8")
        (partial / "versions.txt").write_text(around.environment, encoding="utf-8")
        (partial / "issue.md").write_text(issue(kit, source, around.environment), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return kit


def _found(
    folder: Path, source: str, name: str, way: str, around: Surroundings, note: Note | None, done: Callable[[], None]
) -> Kit:
    """Run a script in every way that its kit tells of."""
    script = folder / SCRIPT
    here, said, code = _traced(script, source, around)
    done()
    tried = _tried(script, source, here, around, ablate=way == layers.COMPILE and here.state is State.PRESENT)
    done()
    releases, turns = _releases(script, source, here, around, done)
    compiled = _kernels(script, code, around) if (triton := layers.uses_triton(source)) else []
    return Kit(
        script=name,
        digest=hashlib.sha256(source.encode()).hexdigest(),
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        title=title_of(source),
        torch=around.here.torch,
        here=here,
        error=_end_of(said),
        layer=layers.layer_of(way, here, tried.layers),
        where=origin_in(said),
        layers=tried.layers,
        bisector=tried.bisector,
        outputs=tried.outputs,
        untold=tried.untold,
        releases=releases,
        turns=turns,
        note=f"{note.kind.value}: {note.says}" if note else "",
        link=note.link if note else "",
        similar=around.index.like(f"{here.why} {origin_in(said)} {title_of(source)}"),
        code=code,
        kernels=compiled,
        target=TARGET if compiled else "",
        interpreted=_interpreted(script, here, source, around) if triton else None,
    )


def title_of(source: str) -> str:
    """Return what a script's first comments say, in one line, without how it ends."""
    lines: list[str] = []
    for line in source.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("#! ").strip())
    return _RUNS.sub("", " ".join(lines)).strip()


def _end_of(said: str) -> str:
    return terminal.lines("\n".join(said.strip().splitlines()[-LINES:]))


def _traced(script: Path, source: str, around: Surroundings) -> tuple[Ending, str, list[str]]:
    """Run a script as it is, with torch's structured trace; keep the log and what it holds of generated code.

    Where it does not show its defect on a bench, a fresh process has the last word.
    """
    folder = script.parent
    here, said = Ending(State.OTHER), ""
    with tempfile.TemporaryDirectory() as logs:
        if (settings := settings_of(source)) is not None:
            with suppress(BenchError), around.benches.of(around.here, settings) as bench:
                code, said = bench.run(script, Path(logs))
                here = ending_of(code, said, around.seconds)
        if here.state is not State.PRESENT:
            for log in Path(logs).iterdir():
                log.unlink()
            here, said = around.here.watch([str(script)], around.seconds, {"TORCH_TRACE": logs})
        said = re.sub(rf"\S*{re.escape(folder.name)}/", "", said)  # where it lay is nobody's business
        found = sorted(Path(logs).glob("*.log"), key=lambda path: path.stat().st_size)
        names: list[str] = []
        if found:
            shutil.copyfile(found[-1], folder / "trace.log")
            (folder / "code").mkdir()
            for number, (kind, text) in enumerate(trace.code_of(found[-1])):
                if number == PIECES:
                    break
                names.append(f"code/{number:02d}_{kind}.py")
                (folder / names[-1]).write_text(text, encoding="utf-8")
    return here, said, names


class _Tried(BaseModel):
    """What `bench.py` answers."""

    layers: dict[str, Ending] = Field(default_factory=dict[str, Ending])
    bisector: str = ""
    outputs: list[Output] = Field(default_factory=list[Output])
    untold: str

    @field_validator("layers", mode="before")
    @classmethod
    def _read(cls, told: dict[str, tuple[int | None, str]]) -> dict[str, Ending]:
        return {name: ending_of(code, said) for name, (code, said) in told.items()}


class _Kernels(BaseModel):
    kernels: list[Kernel]


def _tried(script: Path, source: str, here: Ending, around: Surroundings, *, ablate: bool) -> _Tried:
    """Return by which layer a script fails, and how each output stands to eager's and float64's."""
    try:
        with around.benches.of(around.here, settings_of(source) or {}) as bench:
            return fitted(_Tried, bench.tried(script, ablate=ablate, alike=layers.beginning_of(here.why)))
    except (BenchError, Unreadable):
        return _Tried(untold="they could not be tried: the process that was to do it ended, or took too long")


def _kernels(script: Path, code: Sequence[str], around: Surroundings) -> list[Kernel]:
    """Compile the Triton kernels in generated code, and those that a script launches; keep their code in `kernels/`."""
    folder = script.parent / "kernels"
    folder.mkdir()
    generated = [str(script.parent / name) for name in code]
    _, *command = python(kernels.__name__, str(script), str(folder), TARGET, *generated)
    around.here.watch(command, around.seconds, {"TRITON_INTERPRET": "0"})
    try:
        told = fitted(_Kernels, {"kernels": parse_json(read_bytes(folder / kernels.FILE, REPORT), REPORT)}).kernels
    except Unreadable:
        told = []
    (folder / kernels.FILE).unlink(missing_ok=True)
    if not any(one.files for one in told):
        shutil.rmtree(folder)
    return told


def _interpreted(script: Path, here: Ending, source: str, around: Surroundings) -> Ending:
    """Return how a script ends on Triton's interpreter, where it does not ask for that itself."""
    if "TRITON_INTERPRET" in source:
        return here
    return around.here.watch([str(script)], around.seconds, {"TRITON_INTERPRET": "1"})[0]


def _releases(
    script: Path, source: str, here: Ending, around: Surroundings, done: Callable[[], None]
) -> tuple[dict[str, Ending], str]:
    """Return how a script ends under each release that is there, and where that turns."""
    told: dict[str, Ending] = {}
    for release in sorted(around.others, key=order_of):
        other = around.others[release]
        told[release] = here if other == around.here else _ending(script, source, other, around)
        done()
    if len(told) < 2:
        return told, ""
    try:
        return told, str(bisect([one for one in told if told[one].state is not State.OTHER], told.__getitem__))
    except BisectionError as error:
        return told, str(error)


def _ending(script: Path, source: str, other: Interpreter, around: Surroundings) -> Ending:
    """Run a script under another release; what has no answer on a bench is run in a fresh process."""
    if (settings := settings_of(source)) is not None:
        with suppress(BenchError), around.benches.of(other, settings) as bench:
            code, said = bench.run(script)
            if (ending := ending_of(code, said, around.seconds)).state is not State.OTHER:
                return ending
    return other.run(script, around.seconds)
