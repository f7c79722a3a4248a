"""Excuses: the rules by which a call that a way of compiling does not take is no finding."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

SHARE = 0.05
"""Of a way's calls, from which on a rule must say why it excuses so many."""
_DETAIL = ": "
"""What parts a rule's name from its proof."""


@dataclass(frozen=True, kw_only=True)
class Excuse:
    """Hold a rule: a call is skipped only where its proof holds, and counted under its name."""

    name: str
    """Without a colon."""
    says: str
    """What holds there, in one sentence."""
    link: str
    """Where torch says so: a page of its documentation, or a file of torch."""
    proof: Callable[[Any, BaseException | None], str]
    """Given a case and the refusal, or None before anything runs: return what proves the rule, in one line; empty
    where nothing does."""
    reason: str = ""
    """Why it may excuse more than `SHARE` of a way's calls."""
    specialises: bool = False
    """Whether it is specialisation on 0 and 1, which is counted by operation."""


def excused(excuses: Iterable[Excuse], case: object, refusal: BaseException | None = None) -> str | None:
    """Return `name: proof` of the first rule that is proved of a refusal, or before anything runs; None for none."""
    for excuse in excuses:
        if proof := excuse.proof(case, refusal):
            return f"{excuse.name}{_DETAIL}{' '.join(proof.split())[:200]}"
    return None


def rule_of(reason: str, excuses: Iterable[Excuse]) -> Excuse | None:
    """Return the rule by which a call was skipped; None where the reason is of another kind."""
    name, detail, _ = reason.partition(_DETAIL)
    return next((excuse for excuse in excuses if detail and excuse.name == name), None)
