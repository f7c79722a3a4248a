"""What to change: from what torch says of a size to the argument, its dim, and the call that tells torch."""

import re
from collections.abc import Iterator

from eagerdiff import Finding, Status

_SIZE = re.compile(r"(?:L\[')?(\w+)(?:'\])?\.size\(\)\[(\d+)\]")
_MISMATCH = re.compile(
    r"tensor '(?:L\[')?(\w+)(?:'\])?' (size|stride) mismatch at index (\d+)\. expected (\d+), actual (\d+)"
)
_NUMBER = re.compile(r"(?<![\w\[.])\d+(?![\w.])")


def advice(finding: Finding) -> Iterator[str]:
    """Return lines that say what a failure asks for; none where torch is to blame and nothing can be changed."""
    verdict = finding.verdict
    if verdict.status is Status.OVER_BUDGET:
        if verdict.guard:
            yield f"guard: {verdict.guard}"
        if verdict.line:
            yield f"line: {verdict.line}"
        yield f"to change: {_recompiled(verdict.guard)}"
    elif "extract specialized integer from data-dependent" in verdict.reason:
        yield "to change: int() of a value that depends on data: give that number as an argument, or use .item()"
    elif "data-dependent expression" in verdict.reason:
        yield "to change: torch._check(…) says what always holds of that size; a branch on it needs torch.cond"
    elif verdict.refusal is not None:
        yield "to change: a line makes a constant of this size: int() of it, a branch on it, a list of that length"


def _recompiled(guard: str) -> str:
    """Return what keeps a guard from failing."""
    held = _MISMATCH.search(guard)
    if held is not None and held[2] == "stride":
        return f"{held[1]} had other strides: make it contiguous before the call"
    if held is not None and "0" <= min(held[4], held[5]) <= "1" and len(min(held[4], held[5])) == 1:
        return f"0 and 1 are compiled apart: bound the size (sizes(2, …)), or mark_unbacked({held[1]}, {held[3]})"
    if held is not None:
        return f"torch._dynamo.mark_dynamic({held[1]}, {held[3]}), or dynamic=True, keeps this size symbolic"
    size = _SIZE.search(guard)
    if size is not None and all(int(number) <= 2 for number in _NUMBER.findall(guard)):
        return f"0 and 1 are compiled apart: bound the size (sizes(2, …)), or mark_unbacked({size[1]}, {size[2]})"
    if size is not None:
        return f"a branch on dim {size[2]} of {size[1]} compiles each side: state what always holds by torch._check"
    return "what this guard is about changes from call to call: pass it as a tensor, or keep it constant"
