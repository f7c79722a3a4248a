"""vLLM's kernels other than attention and experts (github.com/vllm-project/vllm)."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false
import contextlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import sizes, tensor
from eagerdiff.compiled.adapters.vllm import STAND_INS
from eagerdiff.reference.cascade_merge import cascade_merge
from eagerdiff.reference.catalog import gemm, norms, quantisation, sampling
from eagerdiff.suites.third_party.package import Package

_NOTHING: dict[str, Any] = dict.fromkeys(("SamplingParams", "LogprobsTensors", "StagedWriteTensor", "UvaBackedTensor"))
PACKAGE = Package(
    "vllm",
    "vllm==0.33.0",
    {
        **STAND_INS,
        "vllm.model_executor.determinism.batch_invariant_configs": {
            "_get_descriptor_matmul_config": None,
            "_get_matmul_config": lambda m, n, k, dtype, default: default,  # those that vLLM has for no known device
            "resolve_tuned_matmul_configs": None,
        },
        "vllm.utils.mem_utils": {"get_max_shared_memory_bytes": lambda: 232448},
        "vllm.utils.nccl": {"pin_nccl_env": None},
        "vllm.utils.platform_utils": {"num_compute_units": lambda index: 4},
        "vllm.utils.torch_utils": {
            **STAND_INS["vllm.utils.torch_utils"],
            "is_torch_equal_or_newer": lambda version: True,
            "async_tensor_h2d": None,
        },
        "vllm.utils.gpu_sync_debug": {"gpu_sync_allowed": contextlib.nullcontext},
        "vllm.triton_utils": {
            **STAND_INS["vllm.triton_utils"],
            "use_tensor_descriptor": lambda asked: False,
            "HAS_TRITON": True,
        },
        "vllm.sampling_params": {"MAX_LOGPROB_TOKEN_IDS": 128, **_NOTHING},
        "vllm.v1.outputs": {"LogprobsTensors": NamedTuple},
        "vllm.v1.worker.gpu.buffer_utils": _NOTHING,
    },
)
_BATCH = "model_executor.determinism.batch_invariant"
_AWQ = "model_executor.layers.quantization.awq_triton"
_INT8 = "model_executor.layers.quantization.utils.int8_utils"
_WORKER = "v1.worker.gpu"
_HALVES = (torch.float16, torch.bfloat16)
"""Products of float32 are TF32 there, as `tl.dot` does them where nobody says otherwise."""
_ROWS = {"rows": sizes(0, 12), "vocabulary": sizes(1, 8300), "requests": sizes(1, 5), "layouts": False}


def _positions(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return places that begin anew after a few rows, int32 [rows]."""
    every = int(torch.randint(1, 5, (), generator=generator))
    return torch.arange(sizes["rows"], dtype=torch.int32) % every


def _near_one(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return 0.5 + torch.randint(0, 4, (sizes["requests"],), generator=generator) / 4


def _packed(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return 4-bit weights of groups of 32 rows, packed."""
    return _words(32 * sizes["groups"], sizes["words"], generator)


def _zeros(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return _words(sizes["groups"], sizes["words"], generator)


def _below(name: str, sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.randint(0, sizes[name], (sizes["rows"],), generator=generator).to(torch.int32)


def _share(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return 0.05 + 0.94 * torch.rand(sizes["rows"], generator=generator)


def _merged(ops: Any, outputs: Tensor, lses: Tensor) -> tuple[Tensor, Tensor]:
    """Merge two parts; vLLM's log-sum-exps are [heads, tokens]."""
    merged, lse = torch.empty_like(outputs[0]), lses.new_empty(lses.shape[1:]).T
    ops.merge_attn_states(merged, outputs[0], lses[0].T, outputs[1], lses[1].T, lse)
    return merged, lse.T


def _words(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    return torch.randint(-(2**31), 2**31, (rows, columns), generator=generator).to(torch.int32)


KERNELS = (
    PACKAGE.kernel(
        _BATCH, lambda ops, a, b, bias: ops.matmul_persistent(a, b, bias),
        gemm.matmul_bias, name="matmul_persistent",
        a=("rows", "inner"), b=("inner", "columns"), bias=("columns",), dtypes=_HALVES,
    ),
    PACKAGE.kernel(
        _BATCH, lambda ops, a, b: ops.bmm_batch_invariant(a, b),
        gemm.bmm, name="bmm", a=("count", "rows", "inner"), b=("count", "inner", "columns"), count=sizes(0, 5),
        dtypes=_HALVES,
    ),
    PACKAGE.kernel(
        _BATCH, lambda ops, x: ops.log_softmax(x), norms.log_softmax, name="log_softmax", x=(..., "width"),
        width=sizes(1, 2100),
    ),
    PACKAGE.kernel(_BATCH, lambda ops, x: ops.softmax(x), norms.softmax, name="softmax", x=(..., "width"),
        width=sizes(1, 2100),
    ),
    PACKAGE.kernel(
        _BATCH, lambda ops, x: ops.mean_dim(x, 1), lambda x: x.mean(1), name="mean_dim",
        x=("before", "length", "after"), length=sizes(1, 2100), before=sizes(0, 9), after=sizes(0, 9),
    ),
    PACKAGE.kernel(
        _BATCH, lambda ops, x, weight: ops.rms_norm_batch_invariant(x, weight),
        norms.rms_norm, name="rms_norm", x=(..., "width"), weight=("width",), width=sizes(1, 2100),
    ),
    PACKAGE.kernel(
        _INT8, lambda ops, x: quantisation.judged(x, *ops.per_token_quant_int8(x)), quantisation.int8_rows,
        name="per_token_quant_int8", x=("rows", "width"), width=sizes(1, 1100), rows=sizes(1, 64),
    ),
    PACKAGE.kernel(
        _AWQ, lambda ops, packed, scales, zeros: ops.awq_dequantize_triton(packed, scales, zeros),
        quantisation.dequantize_awq, name="awq_dequantize", packed=_packed, scales=("groups", "8*words"), zeros=_zeros,
        groups=sizes(1, 5), words=sizes(1, 40), layouts=False,
    ),
    PACKAGE.kernel(
        _AWQ, lambda ops, a, packed, scales, zeros, split: ops.awq_gemm_triton(a, packed, scales, zeros, split),
        lambda a, packed, scales, zeros, split: quantisation.gemm_awq(a, packed, scales, zeros), name="awq_gemm",
        a=("rows", "32*groups"), packed=_packed, scales=("groups", "8*words"), zeros=_zeros,
        split=st.sampled_from((1, 8, 2)), dtypes=(torch.float16,),
        rows=sizes(1, 70), groups=sizes(1, 5), words=sizes(1, 12), layouts=False,
    ),
    PACKAGE.kernel(
        "model_executor.layers.quantization.compressed_tensors.triton_scaled_mm",
        lambda ops, a, b, scale_a, scale_b: ops.triton_scaled_mm(a, b, scale_a, scale_b, scale_a.dtype),
        gemm.scaled_mm, name="triton_scaled_mm", a=tensor("rows", "256*inner", dtype=torch.int8),
        b=tensor("256*inner", "columns", dtype=torch.int8), scale_a=("rows", 1), scale_b=("columns", 1),
        rows=sizes(1, 200), inner=sizes(1, 4), columns=sizes(1, 200), layouts=False,
    ),
    PACKAGE.kernel(
        "v1.attention.ops.triton_merge_attn_states",
        lambda ops, outputs, lses: _merged(ops, outputs, lses), cascade_merge, name="merge_attn_states",
        outputs=(2, "tokens", "heads", "width"), lses=tensor(2, "tokens", "heads", dtype=torch.float32),
        tokens=sizes(0, 9), heads=sizes(1, 5), width=sizes(1, 300),
        supports=lambda call: call.layouts.get("outputs", "contiguous") == "contiguous",
    ),
    PACKAGE.kernel(
        "v1.sample.ops.topk_topp_triton",
        lambda ops, logits, k, p: ops.apply_top_k_top_p_triton(logits.clone(), k, p).sort(-1).values,
        sampling.top_k_top_p,
        name="apply_top_k_top_p", logits=tensor("rows", "vocabulary", dtype=torch.float32),
        k=lambda sizes, generator: 1 + _below("vocabulary", sizes, generator), p=_share, rows=sizes(1, 6),
        vocabulary=sizes(1, 5000), layouts=False,
    ),
    PACKAGE.kernel(
        _WORKER + ".sample.logprob", lambda ops, logits, ids: ops.compute_token_logprobs(logits, ids),
        sampling.token_logprobs, name="compute_token_logprobs", logits=("rows", "vocabulary"),
        ids=tensor("rows", "count", below="vocabulary", dtype=torch.int64), rows=sizes(0, 12), count=sizes(1, 1100),
        vocabulary=sizes(1, 3000), layouts=False,
    ),
    PACKAGE.kernel(
        _WORKER + ".sample.min_p", lambda ops, logits, request, min_p: ops.apply_min_p(logits, request, min_p),
        sampling.min_p_, name="apply_min_p", logits=("rows", "vocabulary"),
        request=tensor("rows", below="requests", dtype=torch.int32),
        min_p=tensor("requests", dtype=torch.float32, values="unit"), **_ROWS,
    ),
    PACKAGE.kernel(
        _WORKER + ".sample.gumbel", lambda ops, logits, request, heat: ops.apply_temperature(logits, request, heat),
        sampling.temperature_, name="apply_temperature", logits=("rows", "vocabulary"),
        request=tensor("rows", below="requests", dtype=torch.int32), heat=_near_one, **_ROWS,
    ),
    PACKAGE.kernel(
        _WORKER + ".sample.penalties",
        lambda ops, logits, request, ids, position, repetition, frequency, presence, bits, counts: ops.apply_penalties(
            logits, request, ids, position, repetition, frequency, presence, bits, counts
        ),
        sampling.penalties_, name="apply_penalties", logits=("rows", "vocabulary"),
        request=tensor("rows", below="requests", dtype=torch.int32),
        ids=tensor("rows", below="vocabulary", dtype=torch.int32), position=_positions, repetition=_near_one,
        frequency=tensor("requests", dtype=torch.float32), presence=tensor("requests", dtype=torch.float32),
        bits=lambda sizes, generator: _words(sizes["requests"], (sizes["vocabulary"] + 31) // 32, generator),
        counts=tensor("requests", "vocabulary", below=3, dtype=torch.int32), **_ROWS,
    ),
    PACKAGE.kernel(
        _WORKER + ".metrics.logits", lambda ops, x: ops.get_num_nans(x), sampling.count_nan,
        name="get_num_nans", x=("rows", "vocabulary"), rows=sizes(0, 12), vocabulary=sizes(1, 8300),
        layouts=False,
    ),
)  # fmt: skip
