"""Modules that a fork server loads for its workers: loading each takes a second or more."""

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    name: Hook("torch", name, "is loaded once for all workers", since="2.1")
    for name in ("torch._dynamo", "torch._inductor.compile_fx", "torch.distributed._functional_collectives")
}
COMPILERS = ("torch._dynamo", "torch._inductor.compile_fx")
"""What `torch.compile` loads at its first call."""
COLLECTIVES = ("torch._dynamo", "torch.distributed._functional_collectives")
"""What a rank's first compiled call loads."""
