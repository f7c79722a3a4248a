"""SGLang's kernels other than attention and experts (github.com/sgl-project/sglang)."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false
from collections.abc import Mapping

import torch
from torch import Tensor

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import gemm, quantisation, sampling
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package(
    "sglang",
    "sglang==0.5.23",
    {
        "sglang.kernels.jit.utils": {
            "cache_once": lambda made: made,
            "is_arch_support_pdl": bool,
            "load_jit": None,
            "make_cpp_args": None,
        },
        "sglang.srt.batch_invariant_ops": {"is_batch_invariant_mode_enabled": bool},
        "sglang.srt.utils": {
            "get_device_core_count": lambda: 4,
            "get_device_name": lambda: "none",
            "is_cuda": bool,
            "is_hip": bool,
        },
    },
)
_ELEMENTWISE = "kernels.ops.elementwise.elementwise"
_VOCABULARY = {"rows": sizes(0, 12), "vocabulary": sizes(1, 8300), "layouts": False}
_HALVES = (torch.float16, torch.bfloat16)


def _bits(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    words = torch.randint(-(2**31), 2**31, (sizes["rows"], (sizes["vocabulary"] + 31) // 32), generator=generator)
    return words.to(torch.int32)


def _int8(rows: str, columns: str):
    def made(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
        return torch.randint(-127, 128, (sizes[rows], sizes[columns]), generator=generator).to(torch.int8)

    return made


KERNELS = (
    PACKAGE.kernel(
        "kernels.ops.activation.softcap", lambda ops, x: ops.softcap_inplace_logits(x, 30.0),
        lambda x: sampling.softcap_(x, 30.0), name="softcap_inplace_logits", x=("rows", "vocabulary"), **_VOCABULARY,
    ),
    PACKAGE.kernel(
        "kernels.ops.grammar.bitmask_ops",
        lambda ops, logits, bits: ops.apply_token_bitmask_inplace_triton(logits, bits),
        sampling.mask_bits_, name="apply_token_bitmask", logits=("rows", "vocabulary"), bits=_bits, **_VOCABULARY,
    ),
    PACKAGE.kernel(
        "kernels.ops.grammar.bitmask_ops",
        lambda ops, logits, bits: ops.apply_token_bitmask_inplace_triton(logits[:, :-64], bits),
        lambda logits, bits: sampling.mask_bits_(logits[:, :-64], bits), name="apply_token_bitmask_to_padded",
        logits=("rows", "vocabulary+64"), bits=_bits, **_VOCABULARY,
    ),
    PACKAGE.kernel(
        "kernels.ops.gemm.router_gate_matvec", lambda ops, x, weight: ops.router_gate_matvec(x, weight),
        lambda x, weight: (x.to(torch.promote_types(x.dtype, torch.float32)) @ weight.to(
            torch.promote_types(x.dtype, torch.float32)).T), name="router_gate_matvec", x=("rows", "inner"),
        weight=("experts", "inner"), rows=sizes(0, 9), inner=sizes(1, 4200), experts=sizes(1, 50), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.ops.speculative.row_argmax", lambda ops, x: ops.row_argmax(x), lambda x: x.argmax(-1),
        name="row_argmax", x=tensor("rows", "vocabulary", dtype=torch.float32), **_VOCABULARY | {"rows": sizes(0, 80)},
    ),
    PACKAGE.kernel(
        "kernels.ops.sampling.softcap_row_argmax",
        lambda ops, x: ops.softcap_row_argmax(x, 30.0, x.shape[1], 0)[:, 1].long(),
        lambda x: (30 * torch.tanh(x / 30)).argmax(-1), name="softcap_row_argmax",
        x=tensor("rows", "vocabulary", dtype=torch.float32), **_VOCABULARY,
    ),
    PACKAGE.kernel(
        "kernels.ops.speculative.topk1", lambda ops, x, places: ops.draft_topk1_postprocess(x, places)[1],
        lambda x, places: places.add_(1) is None or x.argmax(-1, keepdim=True), name="draft_topk1_postprocess",
        x=("rows", "vocabulary"), places=tensor("rows", dtype=torch.int64),
        **_VOCABULARY | {"vocabulary": sizes(1, 20000)},
    ),
    PACKAGE.kernel(
        _ELEMENTWISE, lambda ops, x, gate: ops.fused_sigmoid_mul(x, gate),
        lambda x, gate: x * torch.sigmoid(gate.flatten(1)), name="fused_sigmoid_mul", x=("rows", "heads*width"),
        gate=("rows", "heads", "width"), rows=sizes(0, 9), heads=sizes(1, 9), width=sizes(1, 300), layouts=False,
    ),
    PACKAGE.kernel(
        _ELEMENTWISE, lambda ops, x, gate: ops.sigmoid_gate_mul_broadcast(x, gate),
        lambda x, gate: x * torch.sigmoid(gate), name="sigmoid_gate_mul_broadcast", x=("rows", "width"),
        gate=("rows", 1), rows=sizes(0, 9), width=sizes(1, 1100), layouts=False,
    ),
    PACKAGE.kernel(
        _ELEMENTWISE,
        lambda ops, x, weight, shared, found: ops.fused_gate_sigmoid_mul_add(x, weight, shared, found),
        lambda x, weight, shared, found: found.add_(torch.sigmoid(x @ weight)[:, None] * shared) is None or None,
        name="fused_gate_sigmoid_mul_add", x=("rows", "width"), weight=("width",), shared=("rows", "width"),
        found=("rows", "width"), rows=sizes(0, 9), width=sizes(1, 1100), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.ops.elementwise.row_scale", lambda ops, x, scale: ops.apply_log_scaling_tau(x, scale),
        lambda x, scale: (x * scale).to(x.dtype), name="apply_log_scaling_tau", x=("rows", "width"),
        scale=tensor("rows", 1, dtype=torch.float32), rows=sizes(0, 300),
    ),
    PACKAGE.kernel(
        "kernels.ops.quantization.int8_kernel",
        lambda ops, x: quantisation.judged(x, *ops.per_token_quant_int8(x)), quantisation.int8_rows,
        name="per_token_quant_int8", x=("rows", "width"), width=sizes(1, 1100), rows=sizes(0, 64), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.ops.quantization.int8_kernel",
        lambda ops, x: quantisation.judged(x, *ops.per_token_group_quant_int8(x, x.shape[1]), step=1),
        quantisation.int8_rows, name="per_token_group_quant_int8", x=("rows", "width"), width=sizes(1, 300),
        rows=sizes(0, 64), layouts=False,
    ),
    PACKAGE.kernel(
        "kernels.ops.gemm.int8_kernel",
        lambda ops, a, b, scale_a, scale_b: ops.w8a8_block_int8_matmul(
            a, b, scale_a, scale_b, [128, 128], output_dtype=torch.float32
        ),
        gemm.block_scaled_mm, name="w8a8_block_int8_matmul", a=_int8("rows", "inner"), b=_int8("columns", "inner"),
        scale_a=lambda sizes, generator: torch.rand(sizes["rows"], -(-sizes["inner"] // 128), generator=generator),
        scale_b=lambda sizes, generator: torch.rand(
            -(-sizes["columns"] // 128), -(-sizes["inner"] // 128), generator=generator
        ),
        rows=sizes(1, 140), columns=sizes(1, 300), inner=sizes(1, 400),
    ),
    PACKAGE.kernel(
        "kernels.ops.sampling.renorm_triton",
        lambda ops, probs, least: ops._renorm_from_pivots(probs, least), sampling.renormalize,
        name="renorm_from_pivots", probs=tensor("rows", "vocabulary", dtype=torch.float32, values="unit"),
        least=lambda sizes, generator: torch.rand(sizes["rows"], generator=generator) / 9,
        **_VOCABULARY | {"rows": sizes(1, 12)},
    ),
)  # fmt: skip
