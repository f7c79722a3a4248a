"""Calls of routing: every way of choosing experts, over logits that are skewed, tied, saturated, masked or broken."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import ANYHOW, FLAT, REPEATED, lay_out_arguments, layouts
from eagerdiff.strategies.cases.moe_routing import Data, LogitsLayout, MoeRoutingCase, distinct_data
from eagerdiff.strategies.layouts import place_together
from eagerdiff.strategies.sizes import sizes

_DATA: tuple[Data, ...] = ("normal", "skewed", "tied", "shifted", "very_negative", "saturated")
_PUBLISHED = ((8, 2, 1), (128, 8, 1), (256, 8, 8), (64, 6, 1), (60, 4, 1), (160, 6, 8), (128, 8, 1), (512, 10, 1))
"""(experts, experts a token, groups) of models that are served: what kernels have special code for."""
_WORDS = 11
"""Rows of a hash table."""

_FREE = ("selection_bias", "token_ids", "hash_table")
"""Arguments whose rows may be alike."""
_ALONE = layouts(
    {
        "router_logits": ANYHOW,
        "selection_bias": REPEATED,
        "token_ids": REPEATED,
        "hash_table": (*ANYHOW, "expanded"),
        "expert_map": FLAT,
    }
)
_NEEDED = {"selection_bias": "biased", "token_ids": "hashed", "hash_table": "hashed", "expert_map": "local"}
"""The kind of call that has the argument."""
_FEW_NAMED = 3
"""Arguments that are named one by one: a call that names more has those that it has."""


def cases() -> st.SearchStrategy[MoeRoutingCase]:
    """Draw any call that costs tens of milliseconds on the interpreter; shrinks to one token and one expert."""
    return _statics().flatmap(lambda fields: _dynamics(fields).map(lambda rest: MoeRoutingCase(**fields, **rest)))


def cases_like(case: MoeRoutingCase) -> st.SearchStrategy[MoeRoutingCase]:
    """Draw a call with the static fields of `case`."""
    fields = dict(case.static_key)
    return _dynamics(fields).map(lambda rest: MoeRoutingCase(**fields, **rest))


@st.composite
def _shapes(draw: st.DrawFn) -> dict[str, int]:
    num_groups = draw(st.sampled_from((1, 1, 2, 3, 4, 8)))
    experts = sizes(min_value=1, max_value=12, edges=(4, 8)) | st.sampled_from((16, 31, 33, 64, 96, 128, 160, 256, 512))
    num_experts = -(-draw(experts) // num_groups) * num_groups
    kept_groups = draw(st.integers(1, num_groups))
    most = min(32, num_experts // num_groups * kept_groups)
    top_k = draw(st.integers(1, min(most, 8)) | st.just(most))
    return {"num_experts": num_experts, "top_k": top_k, "num_groups": num_groups, "kept_groups": kept_groups}


def _published() -> st.SearchStrategy[dict[str, int]]:
    names = ("num_experts", "top_k", "num_groups", "kept_groups")
    return st.sampled_from(_PUBLISHED).map(lambda one: dict(zip(names, (*one, max(1, one[2] // 2)), strict=True)))


@st.composite
def _statics(draw: st.DrawFn) -> dict[str, Any]:
    fields: dict[str, Any] = {
        **draw(st.one_of(_shapes(), _shapes(), _published())),
        "scoring": draw(st.sampled_from(("softmax", "sigmoid", "topk_softmax", "sigmoid"))),
        "renormalize": draw(st.booleans()),
        "scaling": draw(st.sampled_from((1.0, 1.0, 2.5))),
        "layout": draw(st.sampled_from(("contiguous", "transposed", "row_padded"))),
        "layouts": draw(_ALONE),
    }
    kind = draw(st.sampled_from(("plain", "biased", "limited", "local", "biased", "hashed", "expert_choice")))
    named = fields["layouts"] if len(fields["layouts"]) <= _FEW_NAMED else ()
    kind = next((_NEEDED[name] for name, _ in named if name in _NEEDED), kind)
    if kind in ("hashed", "expert_choice"):
        fields |= {"way": kind, "num_groups": 1, "kept_groups": 1}
    if kind == "expert_choice":
        experts = min(fields["num_experts"], 12)
        fields |= {"num_experts": experts, "top_k": experts, "limited": True}
    if kind in ("biased", "limited", "local"):
        fields[kind] = True
    return fields


def _dynamics(fields: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    distinct = fields.get("way", "best") == "best" and (fields.get("local", False) or fields.get("limited", False))
    return _dynamic_fields(fields["num_experts"], distinct_data(fields["scoring"]) if distinct else _DATA)


@functools.cache
@st.composite
def _dynamic_fields(draw: st.DrawFn, num_experts: int, kinds: tuple[Data, ...]) -> dict[str, Any]:
    tokens = draw(sizes(max_value=40 if num_experts <= 64 else 9, edges=(4, 16)))
    broken = st.just(0) | st.integers(0, tokens)
    padding_tokens = draw(broken)
    return {
        "tokens": tokens,
        "capacity": draw(st.integers(0, max(1, tokens)) | st.integers(1, 3)),
        "local_experts": draw(st.integers(1, num_experts)),
        "padding_tokens": padding_tokens,
        "nan_tokens": min(draw(broken), tokens - padding_tokens),
        "masked": draw(st.sampled_from((0.0, 0.0, 0.3, 0.9))),
        "large_bias": draw(st.booleans()),
        "data": draw(st.sampled_from(kinds)),
        "seed": draw(st.integers(0, 2**32 - 1)),
    }


def inputs(case: MoeRoutingCase, device: str) -> Inputs:
    """Build the logits and what else the case asks for, from its seed."""
    generator = torch.Generator().manual_seed(case.seed)
    logits = _lay_out(_draw_logits(case, generator), case.layout)
    tensors = _draw_options(case, generator)
    options: dict[str, Any] = {
        "top_k": case.top_k,
        "scoring": case.scoring,
        "renormalize": case.renormalize,
        "scaling": case.scaling,
        "num_groups": case.num_groups,
        "kept_groups": case.kept_groups,
    }
    if case.limited:
        options["capacity"] = case.capacity
    if case.way == "expert_choice":
        options["expert_choice"] = True
    if case.local:
        options["num_local"] = case.local_experts
    given = Inputs((logits,), options | tensors)
    return place_together(lay_out_arguments(given, ("router_logits",), case.layouts, free=_FREE), device)


def _draw_logits(case: MoeRoutingCase, generator: torch.Generator) -> Tensor:
    shape = (case.tokens, case.num_experts)
    logits = torch.randn(shape, generator=generator)
    if case.data == "skewed":
        logits += 6 * torch.randn(case.num_experts, generator=generator)
    if case.distinct:
        logits = logits.argsort(dim=1).argsort(dim=1) * (6 / case.num_experts) - 3
    if case.data == "tied":
        logits = logits.round()
    if case.data == "saturated":
        logits = 30 + 60 * logits.abs()
    if case.data == "very_negative":
        logits = logits * 3 - 90
    if case.data == "shifted":
        logits += 400 * torch.rand((case.tokens, 1), generator=generator) - 200
    logits[torch.rand(shape, generator=generator) < case.masked] = -torch.inf
    order = torch.randperm(case.tokens, generator=generator)
    logits[order[: case.padding_tokens]] = -torch.inf
    broken = order[case.padding_tokens : case.padding_tokens + case.nan_tokens]
    logits[broken, torch.randint(case.num_experts, broken.shape, generator=generator)] = torch.nan
    return logits


def _draw_options(case: MoeRoutingCase, generator: torch.Generator) -> dict[str, Tensor]:
    """Return the options that are tensors, those that the case asks for."""
    options: dict[str, Tensor] = {}
    if case.biased:
        bias = torch.randn(case.num_experts, generator=generator)
        options["selection_bias"] = 12 + bias if case.large_bias else bias / 4
    if case.way == "hashed":
        ids = torch.rand((_WORDS, case.num_experts), generator=generator).argsort(dim=1)
        table = ids[:, : case.top_k]
        options["hash_table"] = table.contiguous() if case.layout == "contiguous" else table
        options["token_ids"] = torch.randint(_WORDS, (case.tokens,), generator=generator)
    if case.local:
        here = torch.randperm(case.num_experts, generator=generator)[: case.local_experts].sort().values
        expert_map = torch.full((case.num_experts,), -1)
        expert_map[here] = torch.arange(case.local_experts)
        options["expert_map"] = expert_map
    return options


def _lay_out(logits: Tensor, layout: LogitsLayout) -> Tensor:
    if layout == "transposed":
        return logits.T.contiguous().T
    if layout == "contiguous":
        return logits
    return torch.nn.functional.pad(logits, (0, 3), value=torch.nan)[:, : logits.shape[1]]
