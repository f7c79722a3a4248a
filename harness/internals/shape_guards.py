"""What became of marked sizes when Dynamo writes its guards: a symbol still, or a number."""

from collections.abc import Callable, Iterator
from typing import Any

from eagerdiff.harness.internals.hook import Hook

GUARDS = Hook(
    "torch",
    "torch.fx.experimental.symbolic_shapes:ShapeEnv.produce_guards_verbose",
    "tells which marked sizes became constants",
    since="2.7",
    parameters=("placeholders", "sources", "input_contexts"),
)
HOOKS = {"guards": GUARDS}


def telling(original: Callable[..., Any], tell: Callable[[str, int], None]) -> Callable[..., Any]:
    """Return the method that also tells source and number of each marked size that became a constant."""

    def produce_guards(self: Any, placeholders: Any, sources: Any, *args: Any, **options: Any) -> Any:
        found = original(self, placeholders, sources, *args, **options)
        contexts = options.get("input_contexts") or [None] * len(placeholders)
        for tensor, source, context in zip(placeholders, sources, contexts, strict=False):
            for dim, number in _constants(self, tensor, context):
                tell(f"{source.name if isinstance(source.name, str) else source.name()}.size()[{dim}]", number)
        return found

    return produce_guards


def _constants(env: Any, tensor: Any, context: Any) -> Iterator[tuple[int, int]]:
    """Return dim and number of each marked size that is one now; sizes of 0 and 1 that were so from the start too."""
    marked = getattr(context, "constraint_sizes", None) or ()
    kinds = getattr(context, "dynamic_sizes", None) or ()
    for dim, (constraint, kind) in enumerate(zip(marked, kinds, strict=False)):
        asked = constraint is not None and not constraint.warn_only  # else it is dynamic because it changed
        if not asked and getattr(kind, "name", "") not in ("UNBACKED", "SIZE_LIKE_UNBACKED"):
            continue
        if dim >= tensor.dim():
            continue  # the program has squeezed it since
        size = tensor.size(dim)
        known = size if isinstance(size, int) else env.replace(size.node.expr)
        if isinstance(known, int) or known.is_number:
            yield dim, int(known)
