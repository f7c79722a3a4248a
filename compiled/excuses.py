"""The rules by which torch may refuse a size, each with its proof: 0 and 1, guards, Python numbers."""

from collections.abc import Callable
from typing import Any

from eagerdiff import Excuse
from eagerdiff.compiled.declared import Declared, told
from eagerdiff.compiled.guard import Formula, Unreadable
from eagerdiff.compiled.refusal import Refusal

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

SMALL = "https://docs.pytorch.org/docs/main/compile/dynamic_shapes_zero_one_specialization.html"
BRANCHES = "https://docs.pytorch.org/docs/stable/generated/exportdb/python.control-flow.html"
NUMBERS = "https://docs.pytorch.org/docs/stable/export.programming_model.html"

_Proof = Callable[[Any, str], str]
"""What proves of a case that a guard or constant, by its text, is excused; an empty string where nothing does."""


def specialisation(declared: Declared[Any]) -> Excuse:
    """Return the rule for what tracing holds apart from 0 and 1: sizes of inputs, and those that a program computes."""

    def of_failed(case: Any, text: str) -> str:
        formula, sizes = Formula(text), declared.values(case)
        return (
            f"{text} is false where {told(sizes, formula.names)}"
            if not formula.value(sizes) and small(case, text)
            else ""
        )

    def of_demanded(case: Any, text: str) -> str:
        refused = small(case, text)
        return f"{text} is false where {told(refused[0])}" if refused else ""

    def small(case: Any, text: str) -> list[dict[str, int]]:
        """Return the declared sizes that a guard refuses, where each sets apart 0 or 1; none where one does not."""
        guard = declared.guard(case, text)
        refused = guard.refused()
        return refused if all(declared.is_small(case, guard, sizes) for sizes in refused) else []

    return Excuse(
        name="specialisation on 0 and 1",
        says="Tracing takes sizes of 0 and 1, computed ones too, for constants, and others for neither.",
        link=SMALL,
        proof=_proof(declared, failed=of_failed, packaged=of_failed, demanded=of_demanded, constants=declared.small),
        reason="Half of the sizes that are drawn are edges, and what is computed of them is small more often still.",
        specialises=True,
    )


def false_guard(declared: Declared[Any], *, constants: bool = False) -> Excuse:
    """Return the rule for a guard that some declared size of at least 2 does not meet.

    One that holds a size to a number is none, but where torch may make constants of sizes (`constants`). Nor is one
    that an AOTInductor package adds to those of the exported program, which takes the size.
    """

    def of_failed(case: Any, text: str) -> str:
        guard, sizes = declared.guard(case, text), declared.values(case)
        if guard.formula.value(sizes) or (guard.holds_one_size and not constants):
            return ""
        return f"{text} is false where {told(sizes, guard.formula.names)}"

    def of_demanded(case: Any, text: str) -> str:
        refused = declared.guard(case, text).refused()
        sizes = next((one for one in refused if min(one.values(), default=0) >= 2), refused[0] if refused else None)
        return f"{text} is false where {told(sizes)}" if sizes else ""

    return Excuse(
        name="a guard that a declared size does not meet",
        says="An exported program has one side of each branch on a size, and refuses what the other side is for.",
        link=BRANCHES,
        proof=_proof(declared, failed=of_failed, demanded=of_demanded, constants=_unproved),
        reason="Operations that branch on a size, or whose decompositions do, are drawn on purpose: the artifact must "
        "refuse the other side, and is judged on its own.",
    )


def constant_number(declared: Declared[Any]) -> Excuse:
    """Return the rule for a Python number other than the example's, and for sizes that follow from one."""

    def of_failed(case: Any, text: str) -> str:
        formula, values = Formula(text), declared.values(case)
        named = any(name.startswith("number_") for name in formula.names)
        return f"{text} is false where {told(values, formula.names)}" if named and not formula.value(values) else ""

    def of_constant(case: Any, text: str) -> str:
        shared = set(Formula(text).names) & set(declared.counted(case))
        return f"{text} follows from the Python number {min(shared)}" if shared else ""

    return Excuse(
        name="a Python number is a constant",
        says="Tracing holds a Python number for a constant, and with it the sizes that follow from it.",
        link=NUMBERS,
        proof=_proof(declared, failed=of_failed, packaged=of_failed, constants=of_constant),
        reason="A workload changes its numbers every other call, and an artifact has those of one.",
    )


def _proof(
    declared: Declared[Any],
    *,
    failed: _Proof,
    constants: _Proof,
    packaged: _Proof | None = None,
    demanded: _Proof | None = None,
) -> Callable[[Any, BaseException | None], str]:
    """Return the proof of a rule: of each guard and constant that torch names; demanded guards count where they can."""

    def proof(case: Any, error: BaseException | None) -> str:
        found = Refusal() if error is None else declared.read(case, error)
        proofs = [_tried(failed, case, text) for text in found.failed]
        proofs += [_tried(packaged or _unproved, case, text) for text in found.packaged]
        proofs += [_tried(demanded, case, text) for text in found.demanded] if demanded else []
        proofs += [_tried(constants, case, text) for text, _ in found.constants]
        return "; ".join(proofs) if all(proofs) else ""

    return proof


def _unproved(case: Any, text: str) -> str:
    """Prove nothing."""
    return ""


def _tried(proof: _Proof, case: Any, text: str) -> str:
    """Return a proof; what cannot be read proves nothing."""
    try:
        return proof(case, text)
    except Unreadable:
        return ""
