"""One call of permutation, as data: tokens, and how many routes each expert gets of them."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts, are_sizes, is_far

XLayout = Literal["contiguous", "transposed", "row_padded", "far"]
Order = Literal["shuffled", "ascending", "descending"]
Elsewhere = Literal["minus_one", "above", "mixed", "wild"]


class MoePermuteCase(Case):
    """Describe one call of `moe_permute`: T tokens with K routes each, to E experts or to none of them."""

    num_experts: int = static(ge=1)
    """Experts that are here."""
    top_k: int = static(ge=1)
    """Routes of a token."""
    hidden: int = static(ge=1)
    """Columns of x."""
    block_m: int = static(16, ge=1)
    """Rows of a block of one expert: each expert's routes are padded to a multiple of it."""
    dtype: Literal["float32", "float16", "bfloat16"] = static("float32")
    """Of x."""
    x_layout: XLayout = static("contiguous")
    """Of x: row-major, column-major, rows of a wider buffer, or the last row 2**31 elements behind the first."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layout above."""
    tokens: int = dynamic(ge=0)
    """Rows of x."""
    expert_tokens: tuple[int, ...] = dynamic()
    """Routes of each expert; what is missing from tokens * top_k is not here."""
    order: Order = dynamic("shuffled")
    """Of the routes' ids; shuffled ones give no token an expert twice, where the counts allow it."""
    elsewhere: Elsewhere = dynamic("mixed")
    """Ids of routes that are not here: -1; from num_experts on; both; or also far below and above, past 32 bits."""
    nan_tokens: bool = dynamic(False)
    """Whether about every fifth token holds NaN, wherever it is routed."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.expert_tokens) != self.num_experts:
            raise ValueError(f"expert_tokens has {len(self.expert_tokens)} entries for {self.num_experts} experts")
        if any(count < 0 for count in self.expert_tokens) or sum(self.expert_tokens) > self.tokens * self.top_k:
            raise ValueError(f"expert_tokens {self.expert_tokens} for {self.tokens} tokens x {self.top_k}")
        return self

    @property
    def far(self) -> bool:
        """Whether x is mostly not there."""
        return self.x_layout == "far" or is_far(self.layouts)

    @property
    def strides_vary(self) -> bool:
        """Whether the number of tokens is a stride of x."""
        return self.x_layout == "transposed" or are_sizes(self.layouts)
