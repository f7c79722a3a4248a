"""A compiled kernel as bytes, and loaded."""

import ctypes
import dataclasses
import itertools
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.devices.host import codegen, runtime
from eagerdiff.harness.devices.host.lowering.kernel import ENTRY, lower
from eagerdiff.harness.devices.host.lowering.lowering import Site


@dataclass(frozen=True)
class Artefact:
    """What is kept in Triton's cache: a line of JSON, then the shared object."""

    name: str
    sites: list[Site]
    arena: int
    waits: bool
    marks: list[tuple[str, str, str]]
    """What is to be reached: line, what it is, state."""
    library: bytes

    @classmethod
    def of(cls, text: str, name: str) -> "Artefact":
        """Compile a kernel of a module in MLIR's generic form; raise `Unsupported` for what is not lowered."""
        lowered = lower(text, name)
        library = codegen.shared_object(lowered.text)
        return cls(name, lowered.sites, lowered.arena, lowered.waits, lowered.marks, library)

    def to_bytes(self) -> bytes:
        fields = {"name": self.name, "arena": self.arena, "waits": self.waits, "marks": self.marks}
        sites = [dataclasses.astuple(site) for site in self.sites]
        return json.dumps(fields | {"sites": sites}).encode() + b"\n" + self.library

    @classmethod
    def from_bytes(cls, data: bytes) -> "Artefact":
        line, _, library = data.partition(b"\n")
        fields = json.loads(line)
        sites = [Site(*site) for site in fields["sites"]]
        marks = [(line, what, state) for line, what, state in fields["marks"]]
        return cls(fields["name"], sites, fields["arena"], fields["waits"], marks, library)


class Program:
    """A kernel that can be called."""

    def __init__(self, artefact: Artefact) -> None:
        runtime.load()
        self.name = artefact.name
        self.sites = artefact.sites
        self.arena = artefact.arena
        self.waits = artefact.waits
        self.marks = artefact.marks
        self.reaches_anywhere = any(site.kind != "assert" and site.argument < 0 for site in artefact.sites)
        """Whether it follows addresses that are no argument's."""
        self._smallest: dict[int, int] = {}
        for site in artefact.sites:
            if site.kind != "assert":
                self._smallest[site.argument] = min(site.size, self._smallest.get(site.argument, site.size))
        self._library = _load(artefact.library)
        self.entry: int | None = ctypes.cast(getattr(self._library, ENTRY), ctypes.c_void_p).value

    def granule(self, argument: int, size: int) -> int:
        """Return the bytes of the smallest element that is accessed by a pointer argument, or by any address.

        `size`: those of the tensor's elements, where nothing is.
        """
        return min(self._smallest.get(argument, size), self._smallest.get(-1, size))

    def relocate(self, path: str) -> None:
        """Tell lines by where the file of the kernel is now: Triton caches source by what it says, wherever it lay."""
        lines = (site.line for site in self.sites), (line for line, _, _ in self.marks)
        files = (line.rpartition(":")[0] for line in itertools.chain(*lines))
        old = next((file for file in files if Path(file).name == Path(path).name), path)
        if old == path:
            return
        before, after = _differing(old, path)

        def moved(line: str) -> str:
            return after + line.removeprefix(before) if line.startswith(before) else line

        self.sites = [dataclasses.replace(site, line=moved(site.line)) for site in self.sites]
        self.marks = [(moved(line), what, state) for line, what, state in self.marks]


def _differing(old: str, new: str) -> tuple[str, str]:
    """Return what stands before the folders and the file that two paths have in common."""
    parts = zip(reversed(Path(old).parts), reversed(Path(new).parts), strict=False)
    common = list(itertools.takewhile(lambda pair: pair[0] == pair[1], parts))
    length = len(str(Path(*(one for one, _ in reversed(common)))))
    return old[:-length], new[:-length]


def _load(library: bytes) -> ctypes.CDLL:
    """Load a shared object, by a name that none was loaded by before: the loader gives that one again."""
    with tempfile.NamedTemporaryFile(prefix="kernel-", suffix=".so") as file:
        file.write(library)
        file.flush()
        return ctypes.CDLL(file.name)
