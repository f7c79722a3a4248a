"""Classes of defects: what a maintainer would call a finding."""

from enum import StrEnum

from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.mode import Mode
from eagerdiff.harness.model.verdict import Oracle, Refusal, Status, Verdict


class Class(StrEnum):
    """Name what is wrong."""

    WRONG_VALUE = "wrong value"
    """Value, shape, dtype, a write to an input, or an answer that changes from call to call."""
    STRIDES = "wrong strides"
    """Every value is right, and lies elsewhere in memory than torch promises."""
    CRASH = "crash"
    """The process died, ran out of memory, or touched memory that was not its own."""
    RACE = "race"
    """Two programs of one launch touch an element, one of them writes, and nothing orders them."""
    COMPILE_ERROR = "compile error"
    """The compiler refuses a program that eager runs."""
    ERROR = "missing or extra error"
    """Compiled code raises where eager does not, or the reverse."""
    RECOMPILE = "excess recompile"
    SPECIALISATION = "specialisation of a dynamic dim"
    """A size that was to stay symbolic became a constant."""
    BACKED_UNBACKED = "backed ≠ unbacked"
    """Wrong with unbacked sizes, right with backed ones."""
    EXPORT_CONSTRAINT = "export constraint"
    """Export refuses declared sizes, or an exported program refuses declared ones or takes others."""
    GUARD_LOST = "guard lost"
    """An artifact answers for sizes that the program which it was made of refuses."""
    FALLBACK = "fallback"
    """Eager ran in place of compiled code."""
    COMPILE_TIME = "compile-time blow-up"
    """Compiling did not end in time, or took all memory."""
    HANG = "hang"
    """It waited for what does not come, or what is not compiled did not end in time."""


_BY_STATUS = {
    Status.OUT_OF_BOUNDS: Class.CRASH,
    Status.CRASHED: Class.CRASH,
    Status.RACE: Class.RACE,
    Status.DID_NOT_RAISE: Class.ERROR,
    Status.FELL_BACK: Class.FALLBACK,
    Status.WRONG_STRIDES: Class.STRIDES,
}
_COMPILERS_OWN = frozenset(
    {
        *("InductorError", "BackendCompilerFailed", "TorchRuntimeError", "InternalTorchDynamoError", "Unsupported"),
        *("UserError", "GuardOnDataDependentSymNode", "PendingUnbackedSymbolNotFound", "LoweringException"),
        *("UncapturedHigherOrderOpError", "DataDependentOutputException", "DynamicOutputShapeException"),
        *("SpecViolationError", "CppCompileError", "CompilationError"),
    }
)
"""Exceptions that nothing but a compiler raises."""
_LIMIT_HIT = frozenset({"RecompileLimitHit", "FailOnRecompileLimitHit"})
"""What Dynamo raises in place of falling back, where no graph break is allowed."""
_NOBODY = Identity()


def classify(verdict: Verdict, identity: Identity = _NOBODY, backed: Status | None = None) -> Class:
    """Return the class of a failing verdict on what an implementation is.

    `backed` is what the same workload came to with backed sizes, where it was asked. Raises ValueError for a verdict
    that is no failure.
    """
    if not verdict.failed:
        raise ValueError(f"{verdict.status.value} is no defect")
    if verdict.status is Status.RAISED:
        return _of_raised(verdict, identity)
    if verdict.status is Status.OVER_BUDGET:
        return Class.SPECIALISATION if _specialised(verdict, identity.mode) else Class.RECOMPILE
    if verdict.status is Status.TIMED_OUT:
        return Class.HANG if verdict.idle or identity.mode is None else Class.COMPILE_TIME
    if verdict.status is Status.OUT_OF_MEMORY:
        return Class.COMPILE_TIME if _while_compiling(verdict) else Class.CRASH
    disagrees = backed is Status.PASSED
    return _BY_STATUS.get(verdict.status, Class.BACKED_UNBACKED if disagrees else Class.WRONG_VALUE)


def loses_guards(reason: str) -> bool:
    """Whether an artifact answered a call that the guards of its program refuse, by what was raised for it."""
    return reason.startswith("GuardLost: ")


def _of_raised(verdict: Verdict, identity: Identity) -> Class:
    if verdict.refusal is not None and identity.stage is not None and identity.stage.exported:
        return Class.EXPORT_CONSTRAINT
    if verdict.refusal in (Refusal.CONSTANT, Refusal.CONSTRAINT):
        return Class.SPECIALISATION
    if loses_guards(verdict.reason):
        return Class.GUARD_LOST
    if _LIMIT_HIT.intersection(verdict.exceptions):
        return Class.FALLBACK
    return Class.COMPILE_ERROR if _while_compiling(verdict) else Class.ERROR


def _while_compiling(verdict: Verdict) -> bool:
    """Whether an exception is the compiler's: by its type, by where it came from, or raised when it was built."""
    inside = verdict.layer is not None and verdict.layer.compiles
    return bool(_COMPILERS_OWN.intersection(verdict.exceptions)) or inside or verdict.oracle is Oracle.BUILD


def _specialised(verdict: Verdict, mode: Mode | None) -> bool:
    """Whether the guard that failed holds a dim to a number, in a mode that promised not to.

    0 and 1 are compiled apart by design, but not where sizes are unbacked or treated as if they were. The automatic
    mode compiles once for a size that never changed, and promises no more.
    """
    if verdict.held is None or not ((mode is not None and mode.symbolic) or verdict.held_anew):
        return False
    return (mode is not None and mode.nothing_apart) or verdict.held > 1
