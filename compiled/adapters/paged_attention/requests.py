"""What no request is."""

from typing import Any

from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase


def impossible(case: PagedAttentionCase) -> dict[str, Any]:
    """List what no serving engine asks for, and no engine's kernel answers."""
    pairs = zip(case.query_lens, case.context_lens, strict=True)
    return {
        "arguments lie as no engine's do": bool(case.layouts),
        "a query is NaN": case.data == "nan_queries",
        "there is nothing to attend": sum(case.query_lens) == 0,
        "a request has more queries than keys": any(queries > length for queries, length in pairs),
    }
