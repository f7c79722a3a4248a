"""Grids of mixtures of experts that vLLM, triton_kernels, PyTorch, MegaBlocks, scattermoe and DeepGEMM publish, and
FlashInfer-Bench's rule."""

import dataclasses
import functools
import random
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Allclose, BaselineSuite, Inputs, OfRms, ShareWithin, WholeDifference
from eagerdiff.strategies import moe as strategies
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import apportion
from eagerdiff.suites.baseline_suites.paged_attention import VLLM
from eagerdiff.suites.baseline_suites.tables import Table, expand

TRITON_KERNELS, PYTORCH, MEGABLOCKS = "triton_kernels 2026-08", "PyTorch 2.13", "MegaBlocks 0.10"
SCATTERMOE, DEEPGEMM, FLASHINFER_BENCH = "scattermoe 2026-08", "DeepGEMM 2026-08", "FlashInfer-Bench 2026-08"
SCALED = 16
"""What DeepGEMM's widths are divided by, and FlashInfer-Bench's nearly: a mixture with theirs takes gigabytes."""

FUSED: Table = {
    "shape": [(1, 128, 128), (1, 2048, 128), (33, 2048, 128)],  # tokens, intermediate, hidden
    "experts": [8, 64, 192],
    "top_k": [2, 6],
    "ranks": [1, 4],
    "padding": [True, False],
}
SPLIT_K: Table = {"shape": FUSED["shape"], "experts": [256], "top_k": [8], "ranks": [1], "padding": [False]}
FUSED_INT4: Table = {
    "shape": [(1, 128, 128), (1, 1024, 1024), (32, 2048, 128), (222, 2048, 1024)],
    "experts": [8, 64, 192],
    "top_k": [2, 6],
    "ranks": [1, 4],
    "group": [64, 128],
}
FUSED_FP8: Table = {
    "shape": [(1, 128, 128), (1, 4608, 128), (83, 128, 128), (83, 512, 512), (83, 4608, 512), (128, 512, 512)],
    "experts": [2, 8, 16],
    "top_k": [1, 2, 6],
}
RAGGED: Table = {
    "shape": [
        (0, 5, 7), (727, 577, 859), (720, 576, 768), (768, 512, 1024),
        (16, 256, 256), (300, 400, 416), (300, 400, 400), (320, 400, 400), (1000, 704, 800),
    ],
}  # fmt: skip
GROUPED: Table = {"counts": [(16, 16, 16, 16), (32, 0, 16, 16)], "row_major": [True, False], "strided": [False, True]}
"""Groups of 16 tokens, and the first two groups' tokens all in the first; 32 columns, 64 inner."""
DROPLESS: Table = {
    "layer": [
        *((16, 1024, 512, experts) for experts in (1, 2, 4, 8)),  # batch, tokens of each, width, experts
        *((8, 2048, 512, experts) for experts in (1, 2, 4)),
        (16, 1024, 128, 1),
    ]
}
SCATTERED: Table = {"tokens": [1, 256, 512], "width": [128, 256, 512, 600, 100], "top_k": [2, 3, 4]}
MASKED: Table = {"groups": [(32, 192), (6, 1024), (32, 20), (6, 20)], "widths": [(7168, 3072), (4096, 2048)]}
DEEPSEEK: Table = {"tokens": [1, 7, 14, 15, 16, 32, 52, 53, 54, 55, 56, 57, 58, 59, 62, 80, 901]}


def _case(tokens: int, experts: int, top_k: int, counts: tuple[int, ...] = (), **fields: Any) -> MoeCase:
    """Describe a call with finite numbers; where logits are drawn, `counts` only say about how much work it is."""
    even = counts or apportion((1.0,) * experts, total=tokens * top_k, limit=tokens)
    return MoeCase(num_experts=experts, top_k=top_k, tokens=tokens, expert_tokens=even, poison=False, **fields)


def _fused(table: Table, **fields: Any) -> Iterator[MoeCase]:
    """Expand a vLLM table: a quarter of the experts is here where there are 4 ranks."""
    for row in expand(table):
        (tokens, intermediate, hidden), experts, top_k = row["shape"], row["experts"], row["top_k"]
        if top_k > experts:
            continue  # skipped by the tests too
        given = {"weight_layout": "row_padded"} if row.get("padding") else {}
        given |= {"scale_block": row["group"]} if "group" in row else {}
        yield _case(
            tokens, experts, top_k, hidden=hidden, intermediate=intermediate, dtype="bfloat16", renormalize=False,
            experts_elsewhere=experts - experts // row.get("ranks", 1), **given, **fields,
        )  # fmt: skip


def _ragged() -> Iterator[MoeCase]:
    """Expand triton_kernels' table: ten experts, the second without a token and the third with twice the share."""
    shares = (1.0, 0.0, 2.0, *(1.0,) * 7)
    for row in expand(RAGGED):
        tokens, intermediate, hidden = row["shape"]
        drawn = random.Random(0).choices(range(10), shares, k=tokens)
        counts = tuple(drawn.count(expert) for expert in range(10))
        yield _case(
            tokens, 10, 1, counts, hidden=hidden, intermediate=intermediate, dtype="float16", expert_bias=True
        )  # fmt: skip


def _grouped() -> Iterator[MoeCase]:
    for row in expand(GROUPED):
        rows = "row_padded" if row["strided"] else "contiguous"
        yield _case(
            64, 4, 1, row["counts"], hidden=64, intermediate=32, x_layout=rows,
            weight_layout=rows if row["row_major"] else "transposed",
        )  # fmt: skip


def _dropless() -> Iterator[MoeCase]:
    for row in expand(DROPLESS):
        batch, length, width, experts = row["layer"]
        yield _case(
            batch * length, experts, 1, hidden=width, intermediate=width, dtype="bfloat16", renormalize=False,
            activation="relu2",
        )  # fmt: skip


def _scattered() -> Iterator[MoeCase]:
    for row in expand(SCATTERED):
        width, top_k = row["width"], row["top_k"]
        yield _case(
            row["tokens"], 8, top_k, hidden=width, intermediate=4 * width // top_k, renormalize=False,
            activation="relu2",
        )  # fmt: skip


def _deep_gemm(**fields: Any) -> Iterator[MoeCase]:
    """Expand DeepGEMM's table: tokens of a group within 30 % of what is said."""
    drawn = random.Random(0)
    for row in expand(MASKED):
        (groups, expected), (hidden, intermediate) = row["groups"], row["widths"]
        counts = tuple(int(expected * drawn.uniform(0.7, 1.3)) for _ in range(groups))
        yield _case(
            sum(counts), groups, 1, counts, hidden=hidden // SCALED, intermediate=intermediate // SCALED,
            dtype="float16", **fields,
        )  # fmt: skip


def _deepseek() -> Iterator[MoeCase]:
    for row in expand(DEEPSEEK):
        yield _case(
            row["tokens"], 256, 8, hidden=256, intermediate=128, dtype="float32", experts_elsewhere=224,
            scoring="sigmoid", scaling=2.5, num_groups=8, kept_groups=4, selection_bias=True, **_FP8,
        )  # fmt: skip


def inputs(
    case: MoeCase, device: str, *, x: float = 1.0, gate_up: float | None = None, down: float | None = None
) -> Inputs:
    """Build a case's tensors with normal random numbers in every place, a quantised block of zeros nowhere.

    x, gate_up, down: standard deviations; of weights by default 1 / sqrt(what is summed up). Without gate_up the logits
    are those that give the counts wanted, with it they are normal.
    """
    given = strategies.inputs(case, device)
    generator = torch.Generator().manual_seed(case.seed + 1)
    options = dict(given.options)
    old_x, logits, *weights = given.args
    if gate_up is not None:
        logits = torch.randn(logits.shape, generator=generator).to(device)
    new_x = _drawn(old_x, x, case.x_layout, generator)
    if "x_scale" in options:
        options["x_scale"] = x * options["x_scale"].where(options["x_scale"] > 0, 1.0)
    drawn: list[Tensor] = []
    for name, weight, spread, inner in zip(
        ("gate_up", "down"), weights, (gate_up, down), (case.hidden, case.intermediate), strict=True
    ):
        wanted = inner**-0.5 if spread is None else spread
        drawn.append(_drawn(weight, wanted, case.weight_layout, generator))
        if (scale := options.get(f"{name}_scale")) is not None:
            options[f"{name}_scale"] = wanted * inner**0.5 * scale.where(scale > 0, 1.0)
    return dataclasses.replace(given, args=(new_x, logits, *drawn), options=options)


def _drawn(like: Tensor, spread: float, layout: str, generator: torch.Generator) -> Tensor:
    """Return random numbers laid out as asked, padding of zeros; of what is quantised, only zeros are replaced."""
    if like.dtype == torch.uint8:
        return like
    numbers = torch.randn(like.shape, generator=generator).to(like.device)
    if like.itemsize == 1:
        return like.float().where(like.float() != 0, numbers).to(like.dtype)
    numbers = (spread * numbers).to(like.dtype)
    if layout == "transposed":
        return numbers.mT.contiguous().mT
    return torch.nn.functional.pad(numbers, (0, 128))[..., :-128] if layout == "row_padded" else numbers


def reversed_tokens(given: Inputs) -> Inputs:
    """Return the same call with the tokens in reverse order."""
    x, logits, *weights = given.args
    return dataclasses.replace(given, args=(x.flip(0), logits.flip(0), *weights))


def _everything(output: Any, after: Inputs) -> Any:
    return output


def _rows_in_any_order(output: Tensor, after: Inputs) -> Tensor:
    """Sort each column: equal for rows in another order, and for hardly anything else."""
    return output.sort(dim=0).values


_FP8: dict[str, Any] = {"weight_dtype": "float8_e4m3fn", "quantised_x": True}
_tenth = functools.partial(inputs, x=0.1, gate_up=0.1, down=0.1)
_RANDOM_MAP = "logits in float32, whose ties no two answers share; experts of a rank are distinct"
GRIDS = (
    BaselineSuite(
        project=VLLM, test="fused MoE", cases=functools.partial(_fused, FUSED), inputs=_tenth, compared=_everything,
        rule=Allclose(2e-2, 0.0), note=f"without 32,768 and 40,000 tokens; {_RANDOM_MAP}",
    ),
    BaselineSuite(
        project=VLLM, test="fused MoE, split-K", cases=functools.partial(_fused, SPLIT_K), inputs=_tenth,
        compared=_everything, rule=Allclose(2e-2, 0.0), note="its shapes: no kernel here splits the inner dimension",
    ),
    BaselineSuite(
        project=VLLM, test="fused MoE, int4", cases=functools.partial(_fused, FUSED_INT4, weight_dtype="int4"),
        inputs=_tenth, compared=_everything, rule=Allclose(2e-2, 0.0), note="without zero points and int8",
    ),
    BaselineSuite(
        project=VLLM, test="fused MoE, fp8 blocks", cases=functools.partial(_fused, FUSED_FP8, **_FP8),
        inputs=functools.partial(inputs, x=0.1, gate_up=1 / 15, down=1 / 15), compared=_everything,
        rule=Allclose(0.035, 0.035), note="up to 128 tokens, hidden sizes up to 512; activations are not quantised",
    ),
    BaselineSuite(
        project=TRITON_KERNELS, test="matmul, ragged", cases=_ragged, inputs=inputs, compared=_everything,
        rule=OfRms(2e-2, 4e-3),
        note="as SwiGLU experts, one a token, other formats as float16 (a rule for one product allows bfloat16's "
        "rounding once); without empty weights, split-K",
    ),
    BaselineSuite(
        project=PYTORCH, test="grouped_mm", cases=_grouped, inputs=inputs, compared=_everything,
        rule=Allclose(1e-5, 1.3e-6),
        note="as SwiGLU experts, one a token; forward, float32 alone (a rule for one product allows bfloat16's "
        "rounding once)",
    ),
    BaselineSuite(
        project=MEGABLOCKS, test="dMoE", cases=_dropless, inputs=functools.partial(inputs, gate_up=0.1, down=0.1),
        compared=_rows_in_any_order, rule=Allclose(1e-8, 1e-5), against=reversed_tokens,
        note="forward, one expert a token as its test has it, squared relu for gelu; held against itself with the "
        "tokens reversed, theirs against a padded mixture of its own that rounds alike",
    ),
    BaselineSuite(
        project=SCATTERMOE, test="MLP", cases=_scattered, inputs=functools.partial(inputs, gate_up=0.03, down=0.02),
        compared=_everything, rule=Allclose(1e-2, 0.0),
        note="forward, squared relu for gelu, its numbers as large at least",
    ),
    *(
        BaselineSuite(
            project=DEEPGEMM, test=f"grouped, masked{', fp8' if fields else ''}",
            cases=functools.partial(_deep_gemm, **fields), inputs=inputs, compared=_everything,
            rule=WholeDifference(1e-3 if fields else 1e-5),
            note=f"as SwiGLU experts, one a token, in float16 (its bound is one product's in bfloat16); widths divided "
            f"by {SCALED}; without the 32,768 tokens that lie group after group",
        )
        for fields in ({}, _FP8)
    ),
    BaselineSuite(
        project=FLASHINFER_BENCH, test="DeepSeek-V3, fp8 blocks", cases=_deepseek,
        inputs=functools.partial(inputs, gate_up=1 / 16), compared=_everything, rule=ShareWithin(1e-2, 1e-2, 0.95),
        note="hidden size 256 for 7,168, intermediate 128 for 2,048; without 11,948 and 14,107 tokens; in float32: "
        "bfloat16 as eager rounds it is a match in 4 of 5 elements",
    ),
)  # fmt: skip
