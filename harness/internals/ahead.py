"""What compiles ahead of all calls, which the ledger times: export's inner function, and Dynamo's precompilation."""

from eagerdiff.harness.internals.dynamo_metrics import is_loaded
from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "inner": Hook("torch", "torch.export._trace:_export", "counts exported programs", since="2.2", parameters=("mod",)),
}
PUBLIC = Hook("torch", "torch.export:export", "counts exported programs", since="2.1")
"""Export's public one, wrapped where the inner one is not loaded: that takes a second."""


def export_function() -> Hook | None:
    """Return where to wrap export in this process without loading it; None where torch itself is not loaded."""
    return next((hook for hook in (HOOKS["inner"], PUBLIC) if hook.loaded() is not None), None)


PRECOMPILE = Hook(
    "torch",
    "torch._dynamo.aot_compile:aot_compile_fullgraph",
    "counts precompiled functions",
    since="2.11",
    parameters=("model",),
)


def precompile_function() -> Hook | None:
    """Return where to wrap Dynamo's precompilation; None where Dynamo is not loaded."""
    return PRECOMPILE if is_loaded() else None


def compiles_ahead() -> bool:
    """Whether what `torch.compile` returns has `aot_compile` (torch 2.11 asks for a setting first)."""
    import torch._dynamo.config

    return bool(getattr(torch._dynamo.config, "enable_aot_compile", False))
