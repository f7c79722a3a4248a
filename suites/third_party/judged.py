"""What became of each adapted kernel, on disk, and what its findings were read to be."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "docs" / "third_party.jsonl"
FINDINGS = HERE / "findings"
SCRIPTS = HERE.parent / "corpus" / "scripts" / "third_party"


class Judged(BaseModel):
    """Hold one kernel's check."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: str
    """Import name."""
    source: str
    """Of which release or revision."""
    kernel: str
    calls: int = Field(ge=0)
    """Judged."""
    workloads: int = Field(ge=0)
    failures: Sequence[str] = ()
    """What failed, in a line each."""
    not_run: str = ""
    """Why nothing was judged; empty where it was."""


class Reading(BaseModel):
    """Say what a finding was read to be (`findings/PACKAGE.yaml`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kernel: str
    """Or several, with commas between; what the adapters do not name was read beside them."""
    kind: Literal["defect", "limit", "by design", "ours"]
    what: str
    """In a sentence."""
    sizes: str = ""
    """The smallest that show it."""
    script: str = ""
    """File in `suites/corpus/scripts/third_party`; empty where there is none."""
    tracker: str = ""
    """Where it is known."""

    @property
    def kernels(self) -> list[str]:
        """The kernels."""
        return [name.strip() for name in self.kernel.split(",")]


def readings(package: str) -> list[Reading]:
    """Return what a package's findings were read to be."""
    path = FINDINGS / f"{package}.yaml"
    return [Reading.model_validate(one) for one in yaml.safe_load(path.read_text()) or ()] if path.is_file() else []


def is_read(one: Judged) -> bool:
    """Whether some finding of a kernel was read."""
    return any(one.kernel in reading.kernels for reading in readings(one.package))


def results() -> list[Judged]:
    """Return what was judged, in the order of the packages' names."""
    if not RESULTS.is_file():
        return []
    return [Judged.model_validate_json(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]


def keep(found: Iterable[Judged]) -> None:
    """Put results in the place of those of the same kernels."""
    kept = {(one.package, one.kernel): one for one in (*results(), *found)}
    lines = [one.model_dump_json(exclude_defaults=True) for _, one in sorted(kept.items())]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
