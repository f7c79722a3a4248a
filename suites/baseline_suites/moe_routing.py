"""Grids of routing that vLLM and triton_kernels publish."""

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import torch

from eagerdiff import Allclose, BaselineSuite, Each, Inputs, OfRms
from eagerdiff.strategies import moe_routing as strategies
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase
from eagerdiff.suites.baseline_suites.moe import TRITON_KERNELS
from eagerdiff.suites.baseline_suites.paged_attention import VLLM
from eagerdiff.suites.baseline_suites.tables import Table, expand

TOP_K: Table = {
    "tokens": [1, 33, 56],
    "num_experts": [6, 16],
    "top_k": [3, 4],
    "renormalize": [True, False],
    "scoring": ["softmax", "sigmoid"],
}
GROUPED: Table = {"tokens": [1, 33, 64], "scoring": ["softmax", "sigmoid"], "scaling": [1.0, 2.5]}
ALIGNED: Table = {"tokens": [1, 3, 256, 2256, 4096], "num_experts": [32, 160, 256, 257], "top_k": [1, 2, 16, 32]}
ALIGNED_LOCAL: Table = {"tokens": [16, 32], "num_experts": [8], "top_k": [2, 4]}
SOFTMAX: Table = {"tokens": [1, 7, 256, 300], "num_experts": [13, 32, 128, 200], "top_k": [3, 7, 8, 12]}
ANY_K: Table = {
    "tokens": [7],
    "num_experts": [67],
    "top_k": [1, 3, 5, 6, 7, 8, 12, 14, 15, 18, 31, 33, 63, 64],
}


def _cases(table: Table, **fields: Any) -> Iterator[MoeRoutingCase]:
    return (MoeRoutingCase(**row, **fields) for row in expand(table))


def _grouped(renormalize: bool) -> Iterator[MoeRoutingCase]:
    return _cases(
        GROUPED, num_experts=16, top_k=2, num_groups=8, kept_groups=2, biased=True, renormalize=renormalize
    )  # fmt: skip


def _softmax() -> Iterator[MoeRoutingCase]:
    for table in (SOFTMAX, ANY_K):
        yield from _cases(table, scoring="topk_softmax", renormalize=False)


def inputs(case: MoeRoutingCase, device: str) -> Inputs:
    """Build normal logits, and where there is a bias a normal one."""
    given = strategies.inputs(case, device)
    generator = torch.Generator().manual_seed(case.seed + 1)
    options = dict(given.options)
    if "selection_bias" in options:
        options["selection_bias"] = torch.randn(case.num_experts, generator=generator).to(device)
    return Inputs((torch.randn(case.tokens, case.num_experts, generator=generator).to(device),), options)


def given_ids(case: MoeRoutingCase, device: str) -> Inputs:
    """Build ids that are given, distinct ones for each token at random: as a hash table with a row a token.

    Of some experts elsewhere, every second one is here.
    """
    given = strategies.inputs(case, device)
    generator = torch.Generator().manual_seed(case.seed + 1)
    shape = (case.tokens, case.num_experts)
    options = dict(given.options)
    ids = torch.rand(shape, generator=generator).argsort(dim=1)
    options["hash_table"] = ids[:, : case.top_k].contiguous().to(device)
    options["token_ids"] = torch.arange(case.tokens, device=device)
    if "expert_map" in options:
        local = torch.arange(case.num_experts, device=device)
        options["expert_map"] = torch.where(local % 2 == 0, local // 2, -1)
    return dataclasses.replace(given, options=options)


def _weights_and_ids(output: Any, after: Inputs) -> Any:
    return output[:2]


def _ids(output: Any, after: Inputs) -> Any:
    return output[1]


def _counts(output: Any, after: Inputs) -> Any:
    return output[2]


_EXACT = Allclose(0.0, 0.0)
_FLOAT32 = "logits in float32 alone"
_ALIGNED = "the counts alone, without the order within blocks, which the kernels of `moe` make for themselves"
GRIDS = (
    *(
        BaselineSuite(
            project=VLLM, test=f"fused top-k{', biased' if biased else ''}",
            cases=functools.partial(_cases, TOP_K, biased=biased), inputs=inputs, compared=_weights_and_ids,
            rule=Each((Allclose(1e-2, 1e-2), _EXACT)),
            note=f"{_FLOAT32}; without rows of NaN and infinity, which it routes by index",
        )
        for biased in (False, True)
    ),
    BaselineSuite(
        project=VLLM, test="grouped top-k", cases=functools.partial(_grouped, False), inputs=inputs, compared=_ids,
        rule=_EXACT, note=f"{_FLOAT32}; the ids, as its test where weights are not renormalised",
    ),
    BaselineSuite(
        project=VLLM, test="grouped top-k, renormalised", cases=functools.partial(_grouped, True), inputs=inputs,
        compared=_weights_and_ids, rule=Each((Allclose(2e-2, 0.0), _EXACT)), note=_FLOAT32,
    ),
    BaselineSuite(
        project=VLLM, test="align block size", cases=functools.partial(_cases, ALIGNED, way="hashed"),
        inputs=given_ids, compared=_counts, rule=_EXACT, note=_ALIGNED,
    ),
    BaselineSuite(
        project=VLLM, test="align block size, expert map",
        cases=functools.partial(_cases, ALIGNED_LOCAL, way="hashed", local=True, local_experts=4), inputs=given_ids,
        compared=_counts, rule=_EXACT, note=_ALIGNED,
    ),
    BaselineSuite(
        project=TRITON_KERNELS, test="top-k", cases=_softmax, inputs=inputs, compared=_weights_and_ids,
        rule=Each((OfRms(2e-2, 4e-3), _EXACT)), note=f"{_FLOAT32}; softmax of the chosen, without bitmaps, backward",
    ),
)  # fmt: skip
