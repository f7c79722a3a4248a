"""One call of routing, as data: the way of choosing experts, and what the logits are like."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts

Choice = Literal["best", "hashed", "expert_choice"]
Scoring = Literal["softmax", "sigmoid", "topk_softmax"]
LogitsLayout = Literal["contiguous", "transposed", "row_padded"]
Data = Literal["normal", "skewed", "tied", "very_negative", "shifted", "saturated"]


class MoeRoutingCase(Case):
    """Describe one call of `moe_routing`: T tokens, each to top_k of E experts."""

    num_experts: int = static(ge=1)
    """Experts; a multiple of num_groups."""
    top_k: int = static(ge=1)
    """Experts of a token; at most those of kept_groups groups, and all of them for expert_choice."""
    way: Choice = static("best")
    """best: each token goes to its best experts; hashed: to those of its word; expert_choice: experts take tokens."""
    scoring: Scoring = static("softmax")
    """How logits become scores: softmax over all experts, sigmoid of each, or softmax over those chosen."""
    renormalize: bool = static(True)
    """Whether a token's weights are divided by their sum."""
    scaling: float = static(1.0)
    """Factor of a token's weights."""
    biased: bool = static(False)
    """Whether experts are chosen by their score plus a bias."""
    num_groups: int = static(1, ge=1)
    """Groups that experts are chosen by, for the best alone; 1: all compete."""
    kept_groups: int = static(1, ge=1)
    """Groups of which a token's experts are; at most num_groups."""
    limited: bool = static(False)
    """Whether an expert takes at most `capacity` tokens."""
    local: bool = static(False)
    """Whether some experts live elsewhere."""
    layout: LogitsLayout = static("contiguous")
    """Of the logits: row-major, column-major, or rows of a wider buffer."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layout above."""
    tokens: int = dynamic(1, ge=0)
    """Rows of the logits, broken and padding ones included."""
    capacity: int = dynamic(1, ge=0)
    """Tokens that an expert takes at most, where limited."""
    local_experts: int = dynamic(1, ge=1)
    """Of the experts, how many are local, where some are not; any of them."""
    padding_tokens: int = dynamic(0, ge=0)
    """Tokens whose logits are all -inf."""
    nan_tokens: int = dynamic(0, ge=0)
    """Tokens with one logit that is NaN."""
    masked: float = dynamic(0.0, ge=0, le=1)
    """Share of all logits that is -inf."""
    large_bias: bool = dynamic(False)
    """Whether the bias is far larger than any score."""
    data: Data = dynamic("normal")
    """What logits are like: normal; skewed to few experts; tied; very_negative; shifted by up to 200; saturated:
    far from 0. Where experts are local or limited, only such as leave no tie."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse what cannot be, and what leaves no one right answer to a tie: ValueError."""
        if self.top_k > self.num_experts:
            raise ValueError(f"top_k {self.top_k} is above num_experts {self.num_experts}")
        if self.num_experts % self.num_groups or self.kept_groups > self.num_groups:
            raise ValueError(f"{self.num_experts} experts, {self.num_groups} groups, {self.kept_groups} kept")
        if self.way == "expert_choice" and (self.top_k < self.num_experts or not self.limited):
            raise ValueError("expert choice is limited, and has top_k = num_experts")
        if self.way != "best" and (self.biased or self.num_groups > 1):
            raise ValueError("a bias and groups are for the best experts alone")
        if self.local and self.limited:
            raise ValueError("experts elsewhere or a capacity, not both")
        if self.distinct and self.data not in distinct_data(self.scoring):
            raise ValueError(f"{self.data}: a tie between experts whose routes may lose their ids has no one answer")
        if self.padding_tokens + self.nan_tokens > self.tokens or self.local_experts > self.num_experts:
            raise ValueError("more tokens are broken, or experts local, than there are")
        return self

    @property
    def distinct(self) -> bool:
        """Whether a token's scores must be so far apart that no rounding makes ties."""
        return self.way == "best" and (self.local or self.limited)


def distinct_data(scoring: Scoring) -> tuple[Data, ...]:
    """Return the kinds of data that keep scores apart: a sigmoid is 0 or 1 in float32 far from 0."""
    return ("normal", "skewed") if scoring == "sigmoid" else ("normal", "skewed", "shifted", "very_negative")
