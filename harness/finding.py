"""Findings: failing workloads, shrunk, grouped, each with its script."""

import math
import re
from dataclasses import dataclass
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, computed_field, model_validator

from harness.classification import Class, classify
from harness.verdict import Status, Verdict


class Finding(BaseModel):
    """Keep a failing workload as data: it loads without executing anything."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    operator: str
    implementation: str
    device: str
    verdict: Verdict
    workload: list[dict[str, Any]]
    """The shrunk workload's cases, in call order."""
    source: str = ""
    """What was called, as Python source, where the operator gives it."""
    about: tuple[str, ...] = ()
    """What the workload consists of, where the operator says so (the operations of a program), sorted."""
    seed: int = 0
    """Seed of the search chunk that drew it."""
    shrunk: bool = False
    reproduced: bool = False
    """Whether it failed again in a fresh process."""
    count: int = 1
    """How many failures of this group were met."""
    script: str = ""
    """Path of the standalone script, relative to the report's folder; empty where none could be verified."""
    script_note: str = ""
    """Why there is no verified script."""
    new: bool = True
    """Whether the corpus does not know this group yet."""
    backed: Status | None = None
    """What the same workload came to with backed sizes, where it fails with unbacked ones and that was asked."""

    @model_validator(mode="before")
    @classmethod
    def _without_class(cls, data: Any) -> Any:
        """Drop the class that a report says: it follows from the rest, and by today's rules."""
        named = cast(dict[str, Any], data) if isinstance(data, dict) else None
        return data if named is None else {name: value for name, value in named.items() if name != "defect"}

    @computed_field
    @property
    def defect(self) -> Class:
        """What a maintainer would call it."""
        return classify(self.verdict, self.implementation, self.backed)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The workload's cases as a person reads them: without what `source` says better."""
        return [{name: value for name, value in case.items() if not _is_nested(value)} for case in self.workload]

    @property
    def group(self) -> str:
        """Name the bug: operator, implementation, status, frame or output, normalised reason (DESIGN §7)."""
        where = self.verdict.frame or self.verdict.output
        # A function that compiles too often fails another guard each time that it is met.
        reason = "" if self.verdict.status is Status.OVER_BUDGET and where else normalise(self.verdict.reason)
        names = (self.operator, self.implementation, self.verdict.status.value)
        if not self.about:
            return "|".join((*names, where, reason))
        if _MADE_CONSTANT.search(self.verdict.reason) or self.defect is Class.SPECIALISATION:
            # What makes a constant of a size does so everywhere: a guard fails, a mark is refused, or an export.
            return "|".join((*names[:2], _SPECIALISED, "", "", _ABOUT + "+".join(self.about)))
        # The first differing output of a drawn program says nothing; what the program consists of says all.
        where = _KERNEL.sub("KERNEL", self.verdict.frame) if reason else ""
        return "|".join((*names, where, reason, _ABOUT + "+".join(self.about)))


GENERATED = re.compile(r"\bc[a-z0-9]{40,}\b")
"""The name of a module that Inductor wrote: a hash of its text."""
_KERNEL = re.compile(r"\btriton_(poi|per|red)_fused_\w+")
"""A kernel that Inductor named after all that it does."""
_MADE_CONSTANT = re.compile(r"specialized it to be a constant")
"""What a mark, or a `Dim` of an export, is refused with."""
_ABOUT = "of "
_SPECIALISED = "SPECIALISED"


def _is_nested(value: Any) -> bool:
    """Whether a value is data inside data, such as a program, which the source shows."""
    inner = cast("dict[str, Any]", value).values() if isinstance(value, dict) else ()
    return any(isinstance(item, dict | list) for item in inner)


def explains(group: str, finding: Finding) -> bool:
    """Whether a known group accounts for a finding: the same failure, of a workload that consists of no less.

    A large program that fails as a part of it is known to fail needs no second look; nor does it under another mode of
    the same back end (`inductor.static`, `inductor.dynamic`) or of one that does all that the known one does and more
    (`dynamo`, then `inductor`), nor under any where the same line of torch raises the same, or a size becomes constant.
    """
    if group == finding.group:
        return True
    known, mine = _Group.of(group), _Group.of(finding.group)
    if known.rest != mine.rest:
        return False
    if not known.about:  # a program that does nothing fails, or a kernel that is written by hand: each is its own
        return known.anywhere and (known.family == mine.family or bool(mine.about))
    same_place = known.family == mine.family or known.stage < mine.stage or known.anywhere
    return same_place and known.about <= mine.about


_STAGES = {"dynamo": 0, "aot_eager": 1, "aot_decomp": 2, "inductor": 3, "inductor_triton": 3}


@dataclass(frozen=True)
class _Group:
    """Hold the parts of `Finding.group`."""

    family: str
    """The back end or kernel without its mode."""
    rest: tuple[str, str]
    """The operator; status, frame or output, and reason."""
    about: frozenset[str]

    @classmethod
    def of(cls, group: str) -> Self:
        rest, found, about = group.rpartition(f"|{_ABOUT}")
        operator, implementation, failure = (rest if found else group).split("|", 2)
        parts = frozenset(about.split("+")) if found else frozenset[str]()
        return cls(implementation.partition(".")[0], (operator, failure), parts)

    @property
    def stage(self) -> float:
        """How much of the compiler the back end makes use of; NaN for what is no back end of `torch.compile`."""
        return _STAGES.get(self.family, math.nan)

    @property
    def anywhere(self) -> bool:
        """Whether the back end does not matter: a size became constant, or it is known which line of torch raised."""
        status, frame, *_ = (*self.rest[1].split("|"), "")
        return status == _SPECIALISED or (status == Status.RAISED and bool(frame))


def normalise(reason: str) -> str:
    """Replace what varies (numbers, addresses, symbols, generated files) so that one bug gives one text."""
    text = re.sub(r"\S*/\S+\.(?:cpp|py|so)\b", "FILE", reason)
    text = _KERNEL.sub("KERNEL", GENERATED.sub("GENERATED", text))
    text = re.sub(r"\bbackend='\w+' raised", "backend raised", text)
    text = re.sub(r"(?<=data-dependent expression ).*", "EXPR", text)
    text = re.sub(r"0x[0-9a-f]+", "ADDR", text)
    text = re.sub(r"\b[su]\d+\b", "SYM", text)
    text = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    return text[:160]
