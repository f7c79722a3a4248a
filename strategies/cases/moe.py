"""One call of a mixture of experts, as data: tokens, what each expert gets of them, and what the experts are."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts, is_far

MoeDType = Literal["float32", "float16", "bfloat16"]
Layout = Literal["contiguous", "transposed", "row_padded", "far"]
"""Of the last two dims: row-major, column-major, or rows of a wider buffer whose rest is NaN; far: the last row of x,
or the last expert's weights, lie 2**31 elements behind the first, and the memory between is never touched."""
Data = Literal["normal", "outliers", "cancelling"]
"""normal; or with a few channels of x 16 times the rest and each token's logits shifted by up to 200, which changes no
softmax unless exp overflows; or sums that are far larger on the way than in the end: the first and the last term of
each projection are large, and cancel exactly (of 16-bit weights; elsewhere it is normal)."""

Activation = Literal["swiglu", "geglu", "relu2"]
WeightDType = Literal["as_x", "float8_e4m3fn", "int4"]
Scoring = Literal["softmax", "sigmoid", "topk_softmax"]


class MoeCase(Case):
    """Describe one call of `moe`: T tokens, each sent to top_k of E experts."""

    dtype: MoeDType = static("float32")
    """Of x, the weights and the output; logits are float32 always."""
    num_experts: int = static(ge=1)
    """Experts; a multiple of num_groups."""
    top_k: int = static(ge=1)
    """Experts of a token; at most those of kept_groups groups."""
    hidden: int = static(ge=1)
    """Columns of x and of the output."""
    intermediate: int = static(ge=1)
    """Columns within an expert."""
    renormalize: bool = static(True)
    """Whether a token's weights are divided by their sum."""
    x_layout: Layout = static("contiguous")
    """Of x: row-major, column-major, rows of a wider buffer, or the last row 2**31 elements behind the first."""
    weight_layout: Layout = static("contiguous")
    """Of each expert's weights, as x_layout; far: the last expert's lie 2**31 elements behind the first's."""
    activation: Activation = static("swiglu")
    """Of the experts: silu or gelu of a gate times the other half, or the square of relu without a gate."""
    expert_bias: bool = static(False)
    """Whether experts have biases, of both projections."""
    shared_intermediate: int = static(0, ge=0)
    """Intermediate size of an expert that every token passes; 0: there is none."""
    weight_first: bool = static(False)
    """Whether the router's weights multiply x and not the experts' output."""
    weight_dtype: WeightDType = static("as_x")
    """Of the experts' weights; as_x: dtype. The others have a scale for each scale_block elements."""
    scale_block: int = static(128, ge=1)
    """Elements of a row that share a scale, where weights are quantised; fp8 ones as many rows, too."""
    quantised_x: bool = static(False)
    """Whether x is float8_e4m3fn with scales."""
    scoring: Scoring = static("softmax")
    """How logits become scores: softmax over all experts, sigmoid of each, or softmax over those chosen."""
    scaling: float = static(1.0)
    """Factor of a token's weights."""
    selection_bias: bool = static(False)
    """Whether experts are chosen by score plus a bias."""
    num_groups: int = static(1, ge=1)
    """Groups that experts are chosen by; 1: all compete."""
    kept_groups: int = static(1, ge=1)
    """Groups of which a token's experts are; at most num_groups."""
    experts_elsewhere: int = static(0, ge=0)
    """Of the experts, how many are on other ranks: they are chosen, and have no weights here."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layouts above."""
    tokens: int = dynamic(ge=0)
    """Rows of x, padding included."""
    padding_tokens: int = dynamic(0, ge=0)
    """Of the tokens, how many are routed nowhere; they stand anywhere in the batch."""
    expert_tokens: tuple[int, ...] = dynamic()
    """Tokens wanted of each expert. Routes missing from (tokens - padding_tokens) * top_k are dropped: logit -inf."""
    tie_group: int = dynamic(1, ge=1)
    """Neighbouring experts that share logits *and* weights, so that any choice among them is right; where it is above
    1, expert_tokens holds before the logits are made equal."""
    data: Data = dynamic("normal")
    """What values are like: normal; outliers: a few channels 16 times the rest, logits shifted by up to 200;
    cancelling: of 16 bits, the first and last term of each projection are large and cancel."""
    poison: bool = dynamic(True)
    """Whether the rows of tokens that are routed nowhere hold NaN, where no shared expert reads them."""
    nan_logits: bool = dynamic(False)
    """Whether padding tokens have a NaN among their logits, and are not masked out."""
    nan_tokens: bool = dynamic(False)
    """Whether about every fifth token that is routed holds NaN, as a broken layer leaves it: its row is NaN."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        real = self.tokens - self.padding_tokens
        if self.top_k > self.num_experts:
            raise ValueError(f"top_k {self.top_k} is above num_experts {self.num_experts}")
        if real < 0:
            raise ValueError(f"padding_tokens {self.padding_tokens} is above tokens {self.tokens}")
        if len(self.expert_tokens) != self.num_experts:
            raise ValueError(f"expert_tokens has {len(self.expert_tokens)} entries for {self.num_experts} experts")
        if not all(0 <= count <= real for count in self.expert_tokens):
            raise ValueError(f"each of expert_tokens is in [0, {real}], not {self.expert_tokens}")
        if sum(self.expert_tokens) > real * self.top_k:
            raise ValueError(f"expert_tokens sum to more than {real} tokens x {self.top_k}")
        if self.num_experts % self.num_groups or self.kept_groups > self.num_groups:
            raise ValueError(f"{self.num_experts} experts, {self.num_groups} groups, {self.kept_groups} kept")
        if self.top_k > self.num_experts // self.num_groups * self.kept_groups:
            raise ValueError(f"top_k {self.top_k} is above the experts of {self.kept_groups} groups")
        if self.tie_group > 1 and (self.num_groups > 1 or self.experts_elsewhere):
            raise ValueError("of tied experts in groups, or on several ranks, not every choice is right")
        if self.experts_elsewhere >= self.num_experts:
            raise ValueError(f"experts_elsewhere {self.experts_elsewhere} leaves no expert of {self.num_experts}")
        if self.selection_bias and self.scoring == "softmax":
            raise ValueError("a bias beside a softmax over many experts decides by rounding: take another scoring")
        if self.quantised_x and self.weight_dtype != "float8_e4m3fn":
            raise ValueError("x is quantised where the weights are float8_e4m3fn alone")
        return self

    @property
    def far(self) -> bool:
        """Whether a tensor is mostly not there."""
        return "far" in (self.x_layout, self.weight_layout) or is_far(self.layouts)

    @property
    def local_experts(self) -> int:
        """Experts that have weights here."""
        return self.num_experts - self.experts_elsewhere

    @property
    def gate_up(self) -> int:
        """Rows of the first projection."""
        return self.intermediate if self.activation == "relu2" else 2 * self.intermediate
