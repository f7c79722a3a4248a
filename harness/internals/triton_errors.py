"""What Triton's interpreter raises for an error inside a kernel."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

HOOKS = {
    "InterpreterError": Hook(
        "triton", "triton.runtime.errors:InterpreterError", "tells a kernel's own error", since="3.6"
    )
}

if TYPE_CHECKING:
    from triton.runtime.errors import InterpreterError as InterpreterError
else:
    __getattr__ = reaching(__name__, HOOKS)
