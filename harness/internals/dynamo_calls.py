"""Calls of what `torch.compile` made: where each of them passes, and what it is a call of."""

from collections.abc import Callable
from types import FrameType
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "stance": Hook(
        "torch",
        "torch._dynamo.eval_frame:_callback_from_stance",
        "is asked in each call of a compiled function, which recording notes there",
        since="2.11",
        parameters=("callback",),
    ),
    "inlined": Hook(
        "torch",
        "torch._dynamo.external_utils:wrap_inline",
        "wraps what has no frame of its own: recording names what is inside",
        since="2.11",
    ),
}
_CALL = "compile_wrapper"
"""The function of torch whose frame holds a call: `fn`, `args` and `kwargs`, and `self`, what it is compiled by."""
_INLINED = "external_utils.py"


def call_of(frame: FrameType) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Any] | None:
    """Return the function that a frame calls, its arguments, and what compiled it; None where it is no such frame."""
    if frame.f_code.co_name != _CALL:
        return None
    held = frame.f_locals
    return held["fn"], held["args"], held["kwargs"], held["self"]


def inside(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of the program's that a wrapper of Dynamo's calls, or the function itself."""
    code = getattr(function, "__code__", None)
    wrapper = code is not None and code.co_name == "inner" and code.co_filename.endswith(_INLINED)
    return getattr(function, "__wrapped__", function) if wrapper else function


def backend_of(context: Any) -> Any:
    """Return the function by which something is compiled."""
    callback = getattr(context, "callback", None)
    while (inner := getattr(callback, "_torchdynamo_orig_backend", None)) is not None:
        callback = inner
    return getattr(callback, "compiler_fn", callback)


def uncompiled(code: Any) -> Any:
    """Return the module that `torch.compile` was given to make another of; anything else as it is."""
    return getattr(code, "_orig_mod", code)
