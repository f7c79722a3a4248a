"""Exceptions as verdicts: one line, one frame to group by."""

import re

from eagerdiff.harness.internals.compiler_packages import LAYERS
from eagerdiff.harness.judge.origin import FRAMEWORKS, frames, made_from, origin_of
from eagerdiff.harness.model.verdict import Layer, Oracle, Refusal, Status, Verdict

BUILD = "build raised "
"""What stands before an exception that came before any call."""
DIED = "__eagerdiff_died__"
"""An exception's class that sets this to True tells that a process of what is under test died: that is a crash."""
_OUT_OF_MEMORY = (
    "out of memory",
    "can't allocate memory",
    "cannot allocate memory",
    "std::bad_alloc",
    "not enough memory",
)
_WILD = ("illegal memory access", "misaligned address", "out of range shared or local address")
_LOST = (*_WILD, "device-side assert", "unspecified launch failure", "illegal instruction", "context is destroyed")
_MADE_CONSTANT = "specialized it to be a constant"
"""What a mark, or a `Dim` of an export, is refused with."""
_UNKEPT = re.compile(r"Constraints violated|marked as dynamic but your code specialized", re.IGNORECASE)
_REFUSED_SIZE = re.compile(
    r"Guard failed: .*(size\(\)|shape)|Expected input .* to be|not in range \[|Dim\b|dim value is too"
    r"|unmatched dim value"
)
_LAYERS = {package: Layer(layer) for package, layer in LAYERS.items()}
_VIOLATED = re.compile(r"(?<=Constraints violated \()(.*?)(?=\)!)")
"""The dims that are meant; all are named again below."""
_MET = re.compile(r"\bgot (\w+)\((['\"])(.*)\2\)$")
"""What Dynamo met while it ran an operation with fake tensors."""
_GUARDS = re.compile(r"GuardDebugInfo\(\s*result=0,\s*verbose_code_parts=\[(.*)\]")
"""Which guards fail where code that was compiled ahead refuses a call."""
_ADVICE = 'For more information, run with TORCH_LOGS="+dynamic".'


def one_line(error: BaseException) -> str:
    """Return `Type: first telling line of the message`, at most 240 characters."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    message = lines[0] if lines else ""
    if message.endswith((":", _ADVICE)) and len(lines) > 1:
        message = f"{_VIOLATED.sub(_first, message.removesuffix(_ADVICE).rstrip())} {lines[1]}"
    if guards := _GUARDS.search(str(error)):
        message = f"{message.removesuffix('GuardDebugInfo(')}{guards[1]}"
    if met := next(filter(None, map(_MET.search, lines)), None):  # else all that fails so says the same
        message = f"{message}: {met[1]}: {met[3]}"
    return f"{type(error).__name__}: {message}"[:240].rstrip(": ")


def framework_frame(error: BaseException) -> str:
    """Return `module:function` of the innermost torch, triton or numpy frame, else of the innermost frame of all."""
    every = list(frames(error))
    inside = [frame for frame in every if frame.split(":")[0].split(".")[0] in FRAMEWORKS]
    return (inside or every or [""])[-1]


def innermost_frame(error: BaseException) -> str:
    """Return `module:function` of the innermost frame of all."""
    return (list(frames(error)) or [""])[-1]


def layer_of(frame: str) -> Layer | None:
    """Return the part of torch that a frame, `module:function`, is of; None where it is of no compiler."""
    module = frame.partition(":")[0]
    return next((layer for package, layer in _LAYERS.items() if f"{module}.".startswith(f"{package}.")), None)


def refusal_of(said: str) -> Refusal | None:
    """Return what torch's message says of a size; None where it says nothing of any."""
    if _MADE_CONSTANT in said:
        return Refusal.CONSTANT
    if _UNKEPT.search(said):
        return Refusal.CONSTRAINT
    return Refusal.SIZE if _REFUSED_SIZE.search(said) else None


def _first(names: "re.Match[str]") -> str:
    first, several, _ = names[1].partition(", ")
    return f"{first}, …" if several else first


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception, or what it was made from, says that memory ran out: Python's, numpy's, torch's."""
    return any(map(_says_exhausted, made_from(error)))


def _says_exhausted(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return isinstance(error, RuntimeError) and any(text in str(error).lower() for text in _OUT_OF_MEMORY)


def lost_device(error: BaseException) -> str:
    """Return why no later CUDA call of this process can succeed; empty where the error is an ordinary one."""
    text = str(error).lower()
    return one_line(error) if "cuda" in text and any(sign in text for sign in _LOST) else ""


def of_values(error: BaseException) -> bool:
    """Whether an exception is of a kind that kernels of the processor raise because of values (an index outside)."""
    return isinstance(error, (IndexError, RuntimeError)) and not isinstance(error, NotImplementedError)


def _words(error: BaseException) -> bool:
    """Whether an exception of this project only says in other words what its cause is: no script can raise it."""
    return type(error).__module__.partition(".")[0] == __name__.partition(".")[0] and error.__cause__ is not None


def raised(error: BaseException, *, oracle: Oracle = Oracle.RAISE, prefix: str = "") -> Verdict:
    """Return the verdict on an exception: OUT_OF_MEMORY, CRASHED, OUT_OF_BOUNDS (a wild access on CUDA) or RAISED."""
    status = Status.OUT_OF_MEMORY if is_out_of_memory(error) else Status.RAISED
    if any(getattr(type(inner), DIED, False) is True for inner in made_from(error)):
        status = Status.CRASHED
    if lost_device(error) and any(sign in str(error).lower() for sign in _WILD):
        status, oracle = Status.OUT_OF_BOUNDS, Oracle.BOUNDS
    said, frame = one_line(error), framework_frame(error)
    return Verdict(
        status=status,
        reason=prefix + said,
        oracle=oracle,
        frame=frame,
        origin=origin_of(error),
        layer=layer_of(frame),
        exceptions=tuple(dict.fromkeys(type(inner).__name__ for inner in made_from(error) if not _words(inner))),
        refusal=refusal_of(said),
    )
