"""Export's inner function, which the ledger times."""

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "inner": Hook("torch", "torch.export._trace:_export", "counts exported programs", since="2.2", parameters=("mod",)),
}
PUBLIC = Hook("torch", "torch.export:export", "counts exported programs", since="2.1")
"""The public one, wrapped where the inner one is not loaded: that takes a second."""


def export_function() -> Hook | None:
    """Return where to wrap export in this process without loading it; None where torch itself is not loaded."""
    return next((hook for hook in (HOOKS["inner"], PUBLIC) if hook.loaded() is not None), None)
