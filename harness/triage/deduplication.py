"""Groups: findings that are one bug have one name, and a known name accounts for others."""

import functools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from eagerdiff.harness.model.verdict import Status, Verdict

GENERATED = re.compile(r"\bc[a-z0-9]{40,}\b")
"""The name of a module that Inductor wrote: a hash of its text."""
_KERNEL = re.compile(r"\btriton_(poi|per|red)_fused_\w+")
"""A kernel that Inductor named after all that it does."""
_MADE_CONSTANT = re.compile(r"specialized it to be a constant")
"""What a mark, or a `Dim` of an export, is refused with."""
_ABOUT = "of "
_SPECIALISED = "SPECIALISED"
_STAGES = {"dynamo": 0, "aot_eager": 1, "aot_decomp": 2, "inductor": 3, "inductor_triton": 3}
"""Back ends of `torch.compile`, in the order in which each does what those before do, and more."""


def name_group(
    operator: str, implementation: str, verdict: Verdict, about: tuple[str, ...], specialised: bool = False
) -> str:
    """Name a failure's group; `specialised` says that a size which was to stay symbolic became a constant."""
    where = verdict.frame or verdict.output
    # A function that compiles too often fails another guard each time that it is met.
    reason = "" if verdict.status is Status.OVER_BUDGET and where else normalise(verdict.reason)
    status = verdict.status.value
    if not about:
        return "|".join((operator, implementation, status, where, reason))
    if specialised or _MADE_CONSTANT.search(verdict.reason):
        # What makes a constant of a size does so everywhere: a guard fails, a mark is refused, or an export.
        status, where, reason = _SPECIALISED, "", ""
    else:
        # The first differing output of a drawn program says nothing; what the program consists of says all.
        where = _KERNEL.sub("KERNEL", verdict.frame) if reason else ""
    return "|".join((operator, implementation, status, where, reason, _ABOUT + "+".join(about)))


def explains(group: str, other: str) -> bool:
    """Whether a known group accounts for another one: the same failure, of workloads that consist of no less.

    A large program that fails as a part of it is known to fail needs no second look; nor does it under another mode of
    the same back end (`inductor.static`, `inductor.dynamic`) or of one that does all that the known one does and more
    (`dynamo`, then `inductor`), nor under any where the same line of torch raises the same, or a size becomes constant.
    """
    if group == other:
        return True
    known, mine = _read(group), _read(other)
    if known.rest != mine.rest:
        return False
    if not known.about:  # a program that does nothing fails, or a kernel that is written by hand: each is its own
        return known.anywhere and (known.family == mine.family or bool(mine.about))
    same_place = known.family == mine.family or known.stage < mine.stage or known.anywhere
    return same_place and known.about <= mine.about


def explaining(groups: Iterable[str], other: str) -> str:
    """Return the first of some groups that accounts for another one, or an empty string."""
    return next((group for group in groups if explains(group, other)), "")


@dataclass(frozen=True)
class _Group:
    """Hold the parts of `Finding.group`."""

    family: str
    """The back end or kernel without its mode."""
    rest: tuple[str, str]
    """The operator; status, frame or output, and reason."""
    about: frozenset[str]

    @property
    def stage(self) -> float:
        """How much of the compiler the back end makes use of; NaN for what is no back end of `torch.compile`."""
        return _STAGES.get(self.family, math.nan)

    @property
    def anywhere(self) -> bool:
        """Whether the back end does not matter: a size became constant, or it is known which line of torch raised."""
        status, frame, *_ = (*self.rest[1].split("|"), "")
        return status == _SPECIALISED or (status == Status.RAISED and bool(frame))


@functools.lru_cache(maxsize=4096)
def _read(group: str) -> _Group:
    """Take a name apart; each new failure is held against every name that is known."""
    rest, found, about = group.rpartition(f"|{_ABOUT}")
    operator, implementation, failure = (rest if found else group).split("|", 2)
    parts = frozenset(about.split("+")) if found else frozenset[str]()
    return _Group(implementation.partition(".")[0], (operator, failure), parts)


def normalise(reason: str) -> str:
    """Replace what varies (numbers, addresses, symbols, generated files) so that one bug gives one text."""
    text = re.sub(r"\S*/\S+\.(?:cpp|py|so)\b", "FILE", reason)
    text = _KERNEL.sub("KERNEL", GENERATED.sub("GENERATED", text))
    text = re.sub(r"\bbackend='\w+' raised", "backend raised", text)
    text = re.sub(r"(?<=data-dependent expression ).*", "EXPR", text)
    text = re.sub(r"0x[0-9a-f]+", "ADDR", text)
    text = re.sub(r"\b[su]\d+\b", "SYM", text)
    text = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    text = re.sub(r"(?<=KeyError: )[SYMN*+/() -]*SYM[SYMN*+/() -]*$", "EXPR", text)
    return text[:160]
