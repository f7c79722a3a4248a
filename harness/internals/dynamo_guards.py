"""How long guards take, which Dynamo measures after each compilation, for a figure of its metrics."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "timing": Hook(
        "torch", "torch._dynamo.guards:profile_guard_manager", "times new guards with a cold cache", since="2.6"
    )
}


def leave_out_timing() -> None:
    """Evaluate new guards as ever, but leave their time unmeasured; nothing where Dynamo is not loaded.

    Dynamo writes 32 MiB first, to empty the caches: a third of the time that a small program takes to compile. Nothing
    reads the figure but its log.
    """
    if HOOKS["timing"].loaded() is not None:
        HOOKS["timing"].replace(_evaluated)


def _evaluated(root: Any, local_scope: Any, count: int) -> float:
    for _ in range(count):
        root.check(local_scope)
    return 0.0
