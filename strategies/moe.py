"""Mixture-of-experts cases: how many tokens each expert gets is drawn, and the router's logits are built to give it."""

from collections.abc import Sequence
from typing import Any, Literal, Self

import torch
from hypothesis import strategies as st
from pydantic import model_validator
from torch import Tensor

from harness import Case, Inputs, dynamic, static
from strategies.sizes import sizes

MoeDType = Literal["float32", "float16", "bfloat16"]
Layout = Literal["contiguous", "transposed", "row_padded"]
"""Of the last two dims: row-major, column-major, or rows of a wider buffer whose rest is NaN."""
Data = Literal["normal", "outliers"]
"""normal; or with a few channels of x 16 times the rest and each token's logits shifted by up to 200, which changes no
softmax unless exp overflows."""

BLOCK_M = 16
"""Tokens a block in the shipped kernels at these sizes: an edge worth favouring."""
_MAX_ROUTES = 64
_ROW_PADDING = 8
_POOL = 4_194_301
"""Distinct random values a tensor, prime: larger tensors repeat them out of step, so a Mixtral is built in seconds."""


class MoeCase(Case):
    """Describe one call of `moe`: T tokens, each sent to top_k of E experts."""

    dtype: MoeDType = static("float32")
    """Of x, the weights and the output; logits are float32 always."""
    num_experts: int = static(ge=1)
    top_k: int = static(ge=1)
    hidden: int = static(ge=1)
    intermediate: int = static(ge=1)
    renormalize: bool = static(True)
    x_layout: Layout = static("contiguous")
    weight_layout: Layout = static("contiguous")
    tokens: int = dynamic(ge=0)
    padding_tokens: int = dynamic(0, ge=0)
    """Of the tokens, how many are routed nowhere; they stand anywhere in the batch."""
    expert_tokens: tuple[int, ...] = dynamic()
    """Tokens wanted of each expert. Routes missing from (tokens - padding_tokens) * top_k are dropped: logit -inf."""
    tie_group: int = dynamic(1, ge=1)
    """Neighbouring experts that share logits *and* weights, so that any choice among them is right; where it is above
    1, expert_tokens holds before the logits are made equal."""
    data: Data = dynamic("normal")
    poison: bool = dynamic(True)
    """Whether the rows of tokens that are routed nowhere hold NaN."""

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
        return self


def cases() -> st.SearchStrategy[MoeCase]:
    """Draw a case that costs tens of milliseconds on the interpreter: at most 64 routes, 12 experts, dims of 49."""
    return _static_fields().flatmap(
        lambda fields: _dynamic_fields(fields["num_experts"], fields["top_k"]).map(
            lambda rest: MoeCase(**fields, **rest)
        )
    )


def workload_cases(first: MoeCase) -> st.SearchStrategy[MoeCase]:
    """Draw a further case under the static fields of `first`."""
    fields = dict(first.static_key)
    return _dynamic_fields(first.num_experts, first.top_k).map(lambda rest: MoeCase(**fields, **rest))


@st.composite
def _static_fields(draw: st.DrawFn) -> dict[str, Any]:
    # Often few: compilers that unroll the loop over experts take only those.
    num_experts = draw(sizes(min_value=1, max_value=4) | sizes(min_value=1, max_value=12, edges=(4, 8)))
    few = st.integers(1, min(num_experts, 4))
    dims = draw(st.sampled_from((_ALIGNED_DIMS, _DIMS)))
    return {
        "dtype": draw(st.sampled_from(("float32", "float16", "bfloat16"))),
        "num_experts": num_experts,
        "top_k": draw(few | st.just(min(num_experts, 8))),
        "hidden": draw(dims),
        "intermediate": draw(dims),
        "renormalize": draw(st.booleans()),
        "x_layout": draw(_LAYOUTS),
        "weight_layout": draw(_LAYOUTS),
    }


_DIMS = sizes(min_value=1, max_value=49, edges=(32,))
_ALIGNED_DIMS = st.sampled_from((16, 8, 32, 40, 48))
"""16 bytes in each dtype, which `grouped_mm` asks for."""
_LAYOUTS: st.SearchStrategy[str] = st.sampled_from(("contiguous", "contiguous", "transposed", "row_padded"))


@st.composite
def _dynamic_fields(draw: st.DrawFn, num_experts: int, top_k: int) -> dict[str, Any]:
    tokens = draw(sizes(max_value=max(2, _MAX_ROUTES // top_k), edges=(BLOCK_M,)))
    padding_tokens = draw(st.just(0) | st.just(0) | st.integers(0, tokens))
    real = tokens - padding_tokens
    return {
        "tokens": tokens,
        "padding_tokens": padding_tokens,
        "expert_tokens": apportion(draw(shares(num_experts)), total=real * top_k, limit=real),
        "tie_group": draw(st.just(1) | st.just(1) | st.integers(1, num_experts)),
        "data": draw(st.sampled_from(("normal", "normal", "outliers"))),
        "poison": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**16 - 1)),
    }


def shares(num_experts: int) -> st.SearchStrategy[tuple[float, ...]]:
    """Draw how the load is to be spread: balanced, on one expert, Zipf, with experts that get nothing, or anything."""
    experts = range(num_experts)
    one = st.sampled_from((0, num_experts - 1, num_experts // 2)).map(
        lambda full: tuple(float(e == full) for e in experts)
    )
    hole = st.sampled_from((0, num_experts - 1, num_experts // 2)).map(
        lambda gap: tuple(float(e != gap) for e in experts)
    )
    alternating = st.sampled_from((0, 1)).map(lambda odd: tuple(float(e % 2 == odd) for e in experts))
    zipf = st.tuples(st.sampled_from((0.5, 1.2, 2.5)), st.permutations(experts)).map(
        lambda drawn: tuple((rank + 1.0) ** -drawn[0] for rank in drawn[1])
    )
    anything = st.lists(st.integers(0, 8).map(float), min_size=num_experts, max_size=num_experts).map(tuple)
    balanced = st.just((1.0,) * num_experts)
    # One full expert takes all it can; a small share for the others keeps the remaining routes from being dropped.
    crowded = one.map(lambda share: tuple(max(part, 1e-3) for part in share))
    return st.one_of(balanced, crowded, hole, zipf, alternating, one, anything)


def apportion(shares: Sequence[float], *, total: int, limit: int) -> tuple[int, ...]:
    """Hand out `total` routes in proportion to `shares`, at most `limit` each; what no expert can take is left over."""
    counts = [0] * len(shares)
    left = total
    while left > 0:
        takers = [expert for expert, share in enumerate(shares) if share > 0 and counts[expert] < limit]
        if not takers:
            break
        whole = sum(shares[expert] for expert in takers)
        # Rounding down may leave less than one each; then the largest shares take one.
        for expert in sorted(takers, key=lambda expert: -shares[expert]):
            part = max(1, int(left * shares[expert] / whole))
            counts[expert] += min(part, limit - counts[expert], total - sum(counts))
        left = total - sum(counts)
    return tuple(counts)


def inputs(case: MoeCase, device: str) -> Inputs:
    """Build x, router_logits, w_gate_up and w_down from the case's seed, the same on every device."""
    generator = torch.Generator().manual_seed(case.seed)
    wanted_ids = _wanted_ids(case, generator)
    router_logits = _router_logits(case, wanted_ids, generator).to(device)
    x = _random((case.tokens, case.hidden), generator, device)
    if case.data == "outliers":
        x[:, torch.randperm(case.hidden, generator=generator)[: -(-case.hidden // 16)].to(device)] *= 16
    if case.poison:
        x[(wanted_ids < 0).all(dim=1).to(device)] = torch.nan
    w_gate_up = _weights(case, (2 * case.intermediate, case.hidden), generator, device)
    w_down = _weights(case, (case.hidden, case.intermediate), generator, device)
    return Inputs(
        args=(_laid_out(x.to(getattr(torch, case.dtype)), case.x_layout), router_logits, w_gate_up, w_down),
        options={"top_k": case.top_k, "renormalize": case.renormalize},
    )


def router_logits(case: MoeCase) -> Tensor:
    """Return the logits [T, E] that `inputs` gives, float32 on the CPU, without building the rest."""
    generator = torch.Generator().manual_seed(case.seed)
    return _router_logits(case, _wanted_ids(case, generator), generator)


def _wanted_ids(case: MoeCase, generator: torch.Generator) -> Tensor:
    """Return expert ids [T, K], int64, -1 for a dropped route, with expert_tokens of each expert.

    The routes lie expert after expert in K rows of as many tokens as are routed; no expert has more than a row's worth,
    so none meets a token twice.
    """
    real = case.tokens - case.padding_tokens
    order = torch.randperm(case.num_experts, generator=generator)
    flat = torch.full((real * case.top_k,), -1)
    routed = order.repeat_interleave(torch.tensor(case.expert_tokens)[order])
    flat[: len(routed)] = routed
    topk_ids = torch.full((case.tokens, case.top_k), -1)
    topk_ids[:real] = flat.view(case.top_k, real).T
    return topk_ids[torch.randperm(case.tokens, generator=generator)]


def _router_logits(case: MoeCase, wanted_ids: Tensor, generator: torch.Generator) -> Tensor:
    """Give wanted experts logits in [0, 2), others in [-2, -1.5): no rounding can choose differently."""
    shape = (case.tokens, case.num_experts)
    # Column E catches the dropped routes.
    wanted = torch.zeros(case.tokens, case.num_experts + 1, dtype=torch.bool)
    wanted.scatter_(1, wanted_ids.where(wanted_ids >= 0, case.num_experts), True)
    high, low = 2 * torch.rand(shape, generator=generator), torch.rand(shape, generator=generator) / 2 - 2
    low[(wanted_ids < 0).any(dim=1)] = -torch.inf
    logits = high.where(wanted[:, :-1], low)
    if case.data == "outliers":
        logits += 400 * torch.rand((case.tokens, 1), generator=generator) - 200
    for first in range(0, case.num_experts, case.tie_group):
        group = slice(first, first + case.tie_group)
        logits[:, group] = logits[:, group].amax(dim=1, keepdim=True)
    return logits


def _weights(case: MoeCase, shape: tuple[int, int], generator: torch.Generator, device: str) -> Tensor:
    weights = _random((case.num_experts, *shape), generator, device) * shape[1] ** -0.5
    first_of_group = torch.arange(case.num_experts, device=device) // case.tie_group * case.tie_group
    tied = weights if case.tie_group == 1 else weights[first_of_group]
    return _laid_out(tied.to(getattr(torch, case.dtype)), case.weight_layout)


def _random(shape: tuple[int, ...], generator: torch.Generator, device: str) -> Tensor:
    count = torch.Size(shape).numel()
    pool = torch.randn(min(count, _POOL), generator=generator).to(device)
    repeats = -(-count // _POOL)
    return (pool if repeats <= 1 else pool.repeat(repeats)[:count]).view(shape)


def _laid_out(tensor: Tensor, layout: Layout) -> Tensor:
    if layout == "transposed":
        return tensor.mT.contiguous().mT
    if layout == "contiguous":
        return tensor
    *rows, width = tensor.shape
    buffer = tensor.new_full((*rows, width + _ROW_PADDING), torch.nan)
    buffer[..., :width] = tensor
    return buffer[..., :width]
