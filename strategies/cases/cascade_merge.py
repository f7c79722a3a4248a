"""One call of cascade merge, as data: partial states of attention, some of which saw nothing."""

from typing import Literal

from eagerdiff import Case, DType, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts

Empty = Literal["none", "some", "all"]
Layout = Literal["parts_first", "tokens_first", "wide_rows"]


class CascadeMergeCase(Case):
    """Describe one call of cascade merge."""

    dtype: DType = static("float32")
    """Of the states and the output; log-sum-exps are float32."""
    head_dim: int = static(16, ge=1)
    """Columns of a state."""
    num_heads: int = static(1, ge=1)
    """Query heads."""
    layout: Layout = static("parts_first")
    """tokens_first: memory is [T, X, H, D]; wide_rows: heads lie further apart than their width."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layout above."""
    num_parts: int = dynamic(2, ge=0)
    """Partial states of each token; with none the output is zeros."""
    num_tokens: int = dynamic(1, ge=0)
    """Rows of the query."""
    empty: Empty = dynamic("none")
    """Which states saw no key: none, about half of them, every one."""
    far: bool = dynamic(False)
    """Whether the log-sum-exps lie thousands apart."""
    cancelling: bool = dynamic(False)
    """Whether the first and the last state are large, and cancel: of 16 bits, where none is far or empty."""
    broken: bool = dynamic(False)
    """Whether some of the log-sum-exps are NaN."""
