"""One step of experts spread over ranks, as data: what each rank holds, and what each expert gets."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, dynamic, static

ExpertParallelDType = Literal["float32", "float16", "bfloat16"]


class ExpertParallelCase(Case):
    """Describe one step of a group of ranks: each sends its tokens to where their experts live, and gets them back."""

    dtype: ExpertParallelDType = static("float32")
    """Of x, the experts' weights and the outputs; topk_weights are float32 always."""
    experts_per_rank: tuple[int, ...] = static((1, 1))
    """One entry a rank: its length is the world size."""
    attention_ranks: int | None = static(None, ge=1)
    """The first ranks, which hold all tokens and no experts (disaggregated); None: any rank may hold both."""
    top_k: int = static(1, ge=1)
    """Experts of a token; at most all ranks' experts."""
    hidden: int = static(4, ge=1)
    """Columns of x and of the output."""
    intermediate: int = static(4, ge=1)
    """Columns within an expert."""
    tokens_per_rank: tuple[int, ...] = dynamic((1, 1))
    """Tokens that each rank holds before the step; one entry a rank, none negative."""
    expert_tokens: tuple[int, ...] = dynamic((1, 1))
    """Tokens wanted of each expert, all ranks' experts in order. Routes missing from the tokens' top_k are dropped."""
    dropped_tokens: int = dynamic(0, ge=0)
    """Of all tokens, how many are routed nowhere; they stand anywhere."""
    poison: bool = dynamic(True)
    """Whether tokens that are routed nowhere, and the weights of dropped routes, are NaN."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        ranks, real = len(self.experts_per_rank), sum(self.tokens_per_rank) - self.dropped_tokens
        first = self.attention_ranks or 0
        if len(self.tokens_per_rank) != ranks:
            raise ValueError(f"tokens_per_rank has {len(self.tokens_per_rank)} entries for {ranks} ranks")
        if min((*self.experts_per_rank, *self.tokens_per_rank)) < 0:
            raise ValueError("experts_per_rank and tokens_per_rank hold no negative counts")
        if not self.top_k <= sum(self.experts_per_rank):
            raise ValueError(f"top_k {self.top_k} is above the {sum(self.experts_per_rank)} experts of all ranks")
        if len(self.expert_tokens) != sum(self.experts_per_rank):
            raise ValueError(
                f"expert_tokens has {len(self.expert_tokens)} entries for {sum(self.experts_per_rank)} experts"
            )
        if self.attention_ranks and (any(self.experts_per_rank[:first]) or any(self.tokens_per_rank[first:])):
            raise ValueError(f"the first {first} ranks hold all tokens and no experts")
        if not all(0 <= count <= real for count in self.expert_tokens):
            raise ValueError(f"each of expert_tokens is in [0, {real}], not {self.expert_tokens}")
        if sum(self.expert_tokens) > real * self.top_k:
            raise ValueError(f"expert_tokens sum to more than {real} tokens x {self.top_k}")
        return self

    @property
    def world_size(self) -> int:
        """How many ranks there are."""
        return len(self.experts_per_rank)
