"""Classes of defects: what a maintainer would call a finding."""

import re
from enum import StrEnum

from eagerdiff.harness.model.verdict import Status, Verdict


class Class(StrEnum):
    """Name what is wrong."""

    WRONG_VALUE = "wrong value"
    """Value, shape, dtype, a write to an input, or an answer that changes from call to call."""
    CRASH = "crash"
    """The process died, ran out of memory, or touched memory that was not its own."""
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
    FALLBACK = "fallback"
    """Eager ran in place of compiled code."""
    COMPILE_TIME = "compile-time blow-up"
    """Compiling did not end in time, or took all memory."""


_BY_STATUS = {
    Status.OUT_OF_BOUNDS: Class.CRASH,
    Status.CRASHED: Class.CRASH,
    Status.TIMED_OUT: Class.COMPILE_TIME,
    Status.DID_NOT_RAISE: Class.ERROR,
    Status.FELL_BACK: Class.FALLBACK,
}
_COMPILERS_OWN = re.compile(
    r"\b(InductorError|BackendCompilerFailed|TorchRuntimeError|InternalTorchDynamoError|Unsupported|UserError"
    r"|GuardOnDataDependentSymNode|PendingUnbackedSymbolNotFound|UncapturedHigherOrderOpError|LoweringException"
    r"|DataDependentOutputException|DynamicOutputShapeException|SpecViolationError|CppCompileError|CompilationError)\b"
)
"""Exceptions that nothing but a compiler raises."""
_COMPILING = ("_dynamo", "_inductor", "_functorch", "_subclasses", "_export", "_decomp", "_refs", "fx", "export")
_RUNNING = (
    "_dynamo.eval_frame",
    "_dynamo.external_utils",
    "_inductor.runtime",
    "_inductor.output_code",
    "_functorch._aot_autograd.runtime_wrappers",
    "fx.graph_module",
    "fx.interpreter",
    "export.exported_program",
    "export._unlift",
    "export._swap",
)
"""Modules among `_COMPILING` that compiled code calls, or is called by, while it runs."""
_VIOLATED = re.compile(r"Constraints violated|marked as dynamic but your code specialized", re.IGNORECASE)
_REFUSED_SIZE = re.compile(
    r"Guard failed: .*(size\(\)|shape)|Expected input .* to be|not in range \[|Dim\b|dim value is too"
    r"|unmatched dim value"
)
_CONSTANT = re.compile(r"size mismatch at index \d+\. expected (\d+)|\bsize\(\)\[\d+\] == (\d+)$")
"""A guard that holds a size to one number."""
CHANGED = "it had changed before"
"""What makes a promise of the automatic mode, which compiles once for a size that never changed."""
_NOTHING_APART = ("unbacked", "oblivious")
"""Modes in which 0 and 1 are sizes like any other."""


def classify(verdict: Verdict, implementation: str = "", backed: Status | None = None) -> Class:
    """Return the class of a failing verdict on an implementation named `family.mode`.

    `backed` is what the same workload came to with backed sizes, where it was asked. Raises ValueError for a verdict
    that is no failure.
    """
    if not verdict.failed:
        raise ValueError(f"{verdict.status.value} is no defect")
    if verdict.status is Status.RAISED:
        return _of_raised(verdict, implementation)
    if verdict.status is Status.OVER_BUDGET:
        return Class.SPECIALISATION if _specialised(verdict.reason, implementation) else Class.RECOMPILE
    if verdict.status is Status.OUT_OF_MEMORY:
        return Class.COMPILE_TIME if _while_compiling(verdict) else Class.CRASH
    disagrees = backed is Status.PASSED or (verdict.oracle.startswith("relation:") and "unbacked" in verdict.oracle)
    return _BY_STATUS.get(verdict.status, Class.BACKED_UNBACKED if disagrees else Class.WRONG_VALUE)


def _of_raised(verdict: Verdict, implementation: str) -> Class:
    exported = any(part.startswith(("export", "aoti")) for part in implementation.split("."))
    if exported and (_VIOLATED.search(verdict.reason) or _REFUSED_SIZE.search(verdict.reason)):
        return Class.EXPORT_CONSTRAINT
    if _VIOLATED.search(verdict.reason):
        return Class.SPECIALISATION
    if "RecompileLimitHit" in verdict.reason:
        return Class.FALLBACK  # where no graph break is allowed, Dynamo raises in place of falling back
    return Class.COMPILE_ERROR if _while_compiling(verdict) else Class.ERROR


def _while_compiling(verdict: Verdict) -> bool:
    """Whether an exception is the compiler's: by its type, by the frame it came from, or raised when it was built."""
    module = verdict.frame.partition(":")[0]
    inside = _within(module, _COMPILING) and not _within(module, _RUNNING)
    return bool(_COMPILERS_OWN.search(verdict.reason)) or inside or verdict.oracle == "build"


def _within(module: str, packages: tuple[str, ...]) -> bool:
    return any(f"{module}.".startswith(f"torch.{package}.") for package in packages)


def _specialised(reason: str, implementation: str) -> bool:
    """Whether the guard that failed holds a dim to a number, in a mode that promised not to.

    0 and 1 are compiled apart by design, but not where sizes are unbacked or treated as if they were.
    """
    mode = implementation.rpartition(".")[2]
    found = _CONSTANT.search(reason)
    promised = mode.startswith((*_NOTHING_APART, "dynamic", "mark_dynamic")) or CHANGED in reason
    if found is None or not promised:
        return False
    return mode.startswith(_NOTHING_APART) or int(found[1] or found[2]) > 1
