"""Collectives that a compiler can trace."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

HOOKS = {
    "all_to_all_single": Hook(
        "torch",
        "torch.distributed._functional_collectives:all_to_all_single",
        "exchanges rows among ranks inside a graph",
        since="2.1",
    )
}

if TYPE_CHECKING:
    from torch.distributed._functional_collectives import all_to_all_single as all_to_all_single
else:
    __getattr__ = reaching(__name__, HOOKS)
