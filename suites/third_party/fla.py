"""Flash linear attention's Triton kernels (github.com/fla-org/flash-linear-attention); their files need einops."""

# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportAttributeAccessIssue=false
import os
from typing import Any
from unittest.mock import patch

import torch
import torch.nn.functional as F
from hypothesis import strategies as st

from eagerdiff import sizes, tensor
from eagerdiff.reference.catalog import gated_norms, linear_attention, norms, precision, scans
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package(
    "fla", "fla-core==0.6.0",
    inits=("fla", "fla.utils", "fla.ops.utils", "fla.ops.cp", "fla.ops.simple_gla", "fla.ops.generalized_delta_rule",
           "fla.ops.utils.sinkhorn", "fla.modules.norm", "fla.modules.causal_conv1d"),
)  # fmt: skip
CHUNKS = st.sampled_from((16, 64))
OFFSETS = tensor("sequences+1", dtype=torch.int64, values="offsets", below="tokens")
PACKED = {"tokens": sizes(1, 200), "sequences": sizes(1, 5), "heads": sizes(1, 3), "width": sizes(1, 70)}
ROWS = {"x": (..., "width"), "width": sizes(1, 1100)}
TOKENS = {"batch": sizes(1, 2), "tokens": sizes(1, 200), "heads": sizes(1, 3), "width": sizes(1, 70)}
HEADS = {
    "q": ("batch", "tokens", "heads", "keys"), "k": ("batch", "tokens", "heads", "keys"),
    "v": ("batch", "tokens", "heads", "values"),
    "batch": sizes(1, 2), "tokens": sizes(1, 140), "heads": sizes(1, 3), "keys": sizes(1, 70), "values": sizes(1, 70),
}  # fmt: skip
FLOAT32 = (torch.float32,)  # narrower ones are rounded between a chunk's products, by design
HALVES = (torch.float16, torch.bfloat16)  # all that the delta rule's chunks take
STATE = ("batch", "heads", "keys", "values")
# Gates of heads are given detached: their gradient is a difference of two sums that cancel, by design.
KERNELS = (
    PACKAGE.kernel(
        "ops.utils.cumsum", lambda ops, x, chunk_size, reverse: ops.chunk_local_cumsum(x, chunk_size, reverse),
        scans.cumsum_of_chunks, name="local_cumsum", x=("batch", "tokens", "heads", "width"), chunk_size=CHUNKS,
        reverse=st.booleans(), **TOKENS,
    ),
    PACKAGE.kernel(
        "ops.utils.cumsum",
        lambda ops, x, cu_seqlens, chunk_size: ops.chunk_local_cumsum(x, chunk_size, cu_seqlens=cu_seqlens),
        scans.cumsum_of_chunks_of_sequences, name="local_cumsum_of_sequences", x=(1, "tokens", "heads"),
        cu_seqlens=OFFSETS, chunk_size=CHUNKS, tokens=sizes(1, 200), sequences=sizes(1, 5), heads=sizes(1, 3),
    ),
    PACKAGE.kernel(
        "ops.utils.cumsum", lambda ops, x, cu_seqlens, reverse: ops.chunk_global_cumsum(x, reverse, cu_seqlens),
        scans.cumsum_of_sequences, name="global_cumsum_of_sequences", x=(1, "tokens", "heads", "width"),
        cu_seqlens=OFFSETS, reverse=st.booleans(), **PACKED,
    ),
    PACKAGE.kernel(
        "ops.utils.pooling", lambda ops, x, cu_seqlens, chunk_size: ops.mean_pooling(x, chunk_size, cu_seqlens),
        scans.mean_pooling_of_sequences, name="mean_pooling_of_sequences", x=(1, "tokens", "heads", "width"),
        cu_seqlens=OFFSETS, chunk_size=CHUNKS, gradients=True, **PACKED,
    ),
    PACKAGE.kernel(
        "ops.utils.pooling", lambda ops, x, chunk_size: ops.mean_pooling(x, chunk_size), scans.mean_pooling,
        name="mean_pooling", x=("batch", "tokens", "heads", "width"), chunk_size=CHUNKS, gradients=True, **TOKENS,
    ),
    PACKAGE.kernel(
        "modules.token_shift",
        lambda ops, x, cu_seqlens, cache: ops.token_shift(x, cu_seqlens, cache, output_cache=True),
        scans.token_shift_of_sequences, name="token_shift_of_sequences", x=(1, "tokens", "width"), cu_seqlens=OFFSETS,
        cache=("sequences", "width"), tokens=sizes(1, 200), sequences=sizes(1, 5), width=sizes(1, 300), gradients=True,
    ),
    PACKAGE.kernel(
        "modules.token_shift", lambda ops, x, cache: ops.token_shift(x, cache=cache, output_cache=True),
        scans.token_shift, name="token_shift", x=("batch", "tokens", "width"), cache=("batch", "width"),
        tokens=sizes(1, 200), batch=sizes(1, 3), width=sizes(1, 300), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.utils.softmax", lambda ops, x: ops.softmax_fwd(x.contiguous(), x.dtype), norms.softmax,
        name="softmax", **ROWS,
    ),
    PACKAGE.kernel(
        "ops.utils.logsumexp", lambda ops, x: ops.logsumexp_fwd(x.contiguous()),
        lambda x: precision.wide(x).logsumexp(-1), name="logsumexp", **ROWS,
    ),
    PACKAGE.kernel(
        "ops.utils.logcumsumexp", lambda ops, x: logcumsumexp(ops.logcumsumexp_fwd_kernel, x), scans.logcumsumexp,
        name="logcumsumexp", x=("batch", "tokens", 32), batch=sizes(1, 3), tokens=sizes(1, 200), layouts=False,
    ),
    PACKAGE.kernel(
        "ops.utils.pack", lambda ops, x, cu_seqlens: ops.pack_sequence(x, cu_seqlens), scans.pack, name="pack",
        x=("sequences", "tokens", "width"), cu_seqlens=OFFSETS, gradients=True,
        tokens=sizes(1, 70), sequences=sizes(1, 5), width=sizes(1, 300),
    ),
    PACKAGE.kernel(
        "modules.norm.l2norm", lambda ops, x: ops.l2norm(x), gated_norms.l2_norm, name="l2norm", gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "modules.norm.layernorm",
        lambda ops, x, weight, bias, residual: ops.layer_norm(x, weight, bias, residual, 1e-6, prenorm=True),
        gated_norms.layer_norm_of_sum, name="layer_norm", weight=("width",), bias=("width",),
        residual=(..., "width"), gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "modules.norm.fused_norm_gate", lambda ops, x, weight, bias, z: ops.layer_norm_gated(x, z, weight, bias),
        gated_norms.layer_norm_then_gate, name="layer_norm_gated", weight=("width",), bias=("width",), z=(..., "width"),
        gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "modules.activations.ops", lambda ops, x, y: ops.swiglu(x, y), lambda x, y: F.silu(x) * y, name="swiglu",
        y=(..., "width"), gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "modules.activations.ops", lambda ops, x, temperature: ops.logsigmoid(x, temperature),
        lambda x, temperature: F.logsigmoid(x) / temperature, name="logsigmoid",
        temperature=st.sampled_from((1.0, 16.0)), gradients=True, **ROWS,
    ),
    PACKAGE.kernel(
        "modules.causal_conv1d.ops",
        lambda ops, x, weight, bias: ops.causal_conv1d(x, weight, bias, activation="silu", backend="triton")[0],
        scans.causal_conv1d, name="causal_conv1d", x=("batch", "tokens", "channels"), weight=("channels", 4),
        bias=("channels",), batch=sizes(1, 3), tokens=sizes(1, 200), channels=sizes(1, 140), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.hgrn.fused_recurrent",
        lambda ops, x, gate, initial: ops.fused_recurrent_hgrn(x, F.logsigmoid(gate), initial, output_final_state=True),
        lambda x, gate, initial:
            tuple(out.to(x.dtype) for out in scans.gated_recurrence(x, F.logsigmoid(gate), initial)),
        name="hgrn",
        x=("batch", "tokens", "width"), gate=("batch", "tokens", "width"), initial=("batch", "width"), gradients=True,
        batch=sizes(1, 3), tokens=sizes(1, 100), width=sizes(1, 200),
    ),
    PACKAGE.kernel(
        "ops.simple_gla.fused_recurrent",
        lambda ops, q, k, v, g, initial: ops.fused_recurrent_simple_gla(
            q, k, v, F.logsigmoid(g.detach()), initial_state=initial, output_final_state=True),
        lambda q, k, v, g, initial: linear_attention.recurrent(q, k, v, F.logsigmoid(g.detach()), initial),
        name="recurrent_simple_gla", **HEADS, g=("batch", "tokens", "heads"), initial=STATE, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.simple_gla.chunk",
        lambda ops, q, k, v, g, initial: exactly(ops.chunk_simple_gla,
            q, k, v, F.logsigmoid(g.detach()), initial_state=initial, output_final_state=True),
        lambda q, k, v, g, initial: linear_attention.recurrent(q, k, v, F.logsigmoid(g.detach()), initial),
        name="chunk_simple_gla", **HEADS, g=("batch", "tokens", "heads"), initial=STATE, dtypes=FLOAT32,
    ),
    PACKAGE.kernel(
        "ops.retention.chunk",
        lambda ops, q, k, v: exactly(ops.chunk_retention, q, k, v)[0], linear_attention.retention,
        name="chunk_retention", **HEADS, dtypes=FLOAT32,
    ),
    PACKAGE.kernel(
        "ops.gla.fused_recurrent",
        lambda ops, q, k, v, g, initial: ops.fused_recurrent_gla(
            q, k, v, F.logsigmoid(g.detach()), initial_state=initial, output_final_state=True),
        lambda q, k, v, g, initial: linear_attention.recurrent(q, k, v, F.logsigmoid(g.detach()), initial),
        name="recurrent_gla", **HEADS, g=HEADS["k"], initial=STATE, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.gla.chunk",
        lambda ops, q, k, v, g, initial: exactly(ops.chunk_gla,
            q, k, v, F.logsigmoid(g.detach()), initial_state=initial, output_final_state=True),
        lambda q, k, v, g, initial: linear_attention.recurrent(q, k, v, F.logsigmoid(g.detach()), initial),
        name="chunk_gla", **HEADS, g=HEADS["k"], initial=STATE, dtypes=FLOAT32,
    ),
    PACKAGE.kernel(
        "ops.delta_rule.fused_recurrent",
        lambda ops, q, k, v, beta, initial: ops.fused_recurrent_delta_rule(
            q, unit(k), v, beta.sigmoid(), initial_state=initial, output_final_state=True),
        lambda q, k, v, beta, initial: linear_attention.delta_rule(q, unit(k), v, beta.sigmoid(), initial),
        name="recurrent_delta_rule", **HEADS, beta=("batch", "tokens", "heads"), initial=STATE, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.delta_rule.chunk",
        lambda ops, q, k, v, beta, initial: ops.chunk_delta_rule(
            q, unit(k), v, beta.sigmoid(), initial_state=initial, output_final_state=True),
        lambda q, k, v, beta, initial: linear_attention.delta_rule(q, unit(k), v, beta.sigmoid(), initial),
        name="chunk_delta_rule", **HEADS, beta=("batch", "tokens", "heads"), initial=STATE, dtypes=HALVES,
    ),
)  # fmt: skip


def exactly(function: Any, *args: Any, **options: Any) -> Any:
    """Call with products of float32 that Triton does not cut to TF32, as it does by default."""
    with patch.dict(os.environ, TRITON_F32_DEFAULT="ieee"):
        return function(*args, **options)


def unit(k: torch.Tensor) -> torch.Tensor:
    """Return keys of length 1; their length has no gradient, whose projection would cancel a sole key's to 0."""
    return k / k.detach().norm(dim=-1, keepdim=True).clamp_min(1e-12)


def logcumsumexp(kernel: Any, x: torch.Tensor) -> torch.Tensor:
    """Launch the kernel, of which the package has no function; x [batch, tokens, width] contiguous."""
    z = torch.empty_like(x)
    kernel[(x.shape[0],)](x, z, x.shape[1], x.shape[2])
    return z
