"""How torch's compilers refuse a program."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

HOOKS = {
    "UserError": Hook("torch", "torch._dynamo.exc:UserError", "tells a refused export", since="2.1"),
    "Unsupported": Hook("torch", "torch._dynamo.exc:Unsupported", "tells a graph break", since="2.1"),
    "GuardOnDataDependentSymNode": Hook(
        "torch",
        "torch.fx.experimental.symbolic_shapes:GuardOnDataDependentSymNode",
        "tells a branch on an unbacked size",
        since="2.1",
    ),
}

if TYPE_CHECKING:
    from torch._dynamo.exc import Unsupported as Unsupported
    from torch._dynamo.exc import UserError as UserError
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode as GuardOnDataDependentSymNode
else:
    __getattr__ = reaching(__name__, HOOKS)
