"""What allocates without writing: torch's functions as Dynamo knows them, and those of Inductor's generated code."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "rules": Hook(
        "torch", "torch._dynamo.trace_rules:get_torch_obj_rule_map", "lets Dynamo know wrapped functions", since="2.2"
    ),
    "guards": Hook("torch", "torch._C._dynamo.guards:_empty_strided_cpu", "allocates in Inductor's code", since="2.3"),
}
_NAMES = ("_empty_strided_cpu", "_empty_strided_cpu_pinned", "_empty_strided_cuda", "_empty_strided_xpu")
_HOME = Hook("torch", "torch._C._dynamo.guards", "allocates in Inductor's code", since="2.3")


def know_functions() -> None:
    """Have Dynamo look at torch's functions now: it finds them by identity, so before any of them is wrapped."""
    HOOKS["rules"].reach()()


def inductor_allocators() -> tuple[Any, tuple[str, ...]]:
    """Return the module whose functions Inductor's code allocates with, and the names that this build has."""
    HOOKS["guards"].reach()
    home = _HOME.reach()
    return home, tuple(name for name in _NAMES if hasattr(home, name))
