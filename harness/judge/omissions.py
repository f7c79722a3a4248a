"""Omissions: outputs that an implementation says it does not compute."""

from collections.abc import Collection, Sequence
from typing import Any, cast


def complete(output: Any, right: Any, omits: Collection[str], path: str = "") -> Any:
    """Put the reference's value where an output is None and its path is one of `omits`; tuples and lists are walked.

    What is given is kept, and judged, declared or not; a None that is not declared stays, and is refused.
    """
    if not omits:
        return output
    if output is None and path in omits:
        return right
    if not isinstance(output, tuple | list) or not isinstance(right, tuple | list):
        return output
    mine, theirs = list(cast("Sequence[Any]", output)), list(cast("Sequence[Any]", right))
    if len(mine) != len(theirs):
        return cast(Any, output)
    items = [complete(*pair, omits, f"{path}[{index}]") for index, pair in enumerate(zip(mine, theirs, strict=True))]
    return items if isinstance(output, list) else tuple(items)
