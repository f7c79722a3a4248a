"""One serving trace of a small decoder, as data: the model, and what happens to the requests of an engine."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, dynamic, static

Step = tuple[int, int, int, int]
"""Length of the prompt that arrives (0: none), most tokens of a prompt that are fed at once, drafts a request, and who
is preempted or ends (0: nobody): see `eagerdiff.strategies.decoder.trace`."""
Table = Literal["tight", "wide"]


class DecoderCase(Case):
    """Describe one serving trace of one decoder, in float32."""

    layers: int = static(2, ge=1)
    """Layers of the model."""
    dense_layers: int = static(1, ge=0)
    """The first ones, whose MLP is no mixture of experts."""
    hidden: int = static(32, ge=1)
    """Columns between the layers."""
    heads: int = static(2, ge=1)
    """Query heads."""
    nope: int = static(8, ge=1)
    """Columns of a query that are not rotated."""
    rope: int = static(4, ge=2, multiple_of=2)
    """Columns of a query that are."""
    latent: int = static(16, ge=1)
    """Columns of what the cache holds besides the rotated."""
    value_dim: int = static(8, ge=1)
    """Columns of a head's value."""
    experts: int = static(4, ge=2)
    """Experts of a mixture; a multiple of num_groups."""
    num_groups: int = static(2, ge=1)
    """Groups that experts are chosen by."""
    kept_groups: int = static(1, ge=1)
    """Groups of which a token's experts are; at most num_groups."""
    top_k: int = static(2, ge=1)
    """Experts of a token; at most those of kept_groups groups."""
    intermediate: int = static(16, ge=1)
    """Columns within an expert, and within the MLP of a dense layer."""
    scaling: float = static(2.5)
    """Factor of what the routed experts give."""
    vocabulary: int = static(16, ge=2)
    """Different tokens."""
    exit_margin: float | None = static(None)
    """How far apart the two best logits of a token are that leaves early; None: all pass all layers."""
    block_size: int = static(4, ge=1)
    """Tokens of a cache's block."""
    num_blocks: int = static(12, ge=2)
    """Blocks of the cache, which all requests share."""
    table: Table = static("tight")
    """Columns of the block table: as many as the longest request needs, or as many as there are blocks."""
    steps: tuple[Step, ...] = dynamic(())
    """What happens, step by step: length of the prompt that arrives (0: none), most tokens of a prompt that are fed at
    once, drafts a request, and who is preempted or ends (0: nobody)."""
    certainty: float = dynamic(1.0, gt=0)
    """How much a token's embedding outweighs what the layers add: drafts are mostly right where it is large."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse a routing, or a number of dense layers, that cannot be: ValueError."""
        if self.experts % self.num_groups or self.kept_groups > self.num_groups:
            raise ValueError(f"{self.experts} experts, {self.num_groups} groups, {self.kept_groups} kept")
        if self.top_k > self.experts // self.num_groups * self.kept_groups:
            raise ValueError(f"top_k {self.top_k} is above the experts of {self.kept_groups} groups")
        if self.dense_layers > self.layers:
            raise ValueError(f"{self.dense_layers} dense layers of {self.layers}")
        return self
