"""Mamba's Triton kernels (github.com/state-spaces/mamba); their files need einops."""

import torch
import torch.nn.functional as F
from hypothesis import strategies as st

from eagerdiff import sizes
from eagerdiff.reference.catalog import gated_norms, state_space
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("mamba_ssm", "github.com/state-spaces/mamba e9594ce1")  # 2.3.2.post1
CHUNKS = st.sampled_from((16, 24, 64))
HALVES = (torch.float16, torch.bfloat16)  # products of float32 are TF32, Triton's default
WIDTHS = sizes(1, 2052)  # rows of no columns are refused by a reshape
SSD = {
    "x": ("batch", "seqlen", "2*groups", "headdim"), "dt": ("batch", "seqlen", "2*groups"), "A": ("2*groups",),
    "B": ("batch", "seqlen", "groups", "dstate"), "C": ("batch", "seqlen", "groups", "dstate"),
    "batch": sizes(1, 3), "seqlen": sizes(1, 200), "groups": sizes(1, 3),
    "headdim": sizes(1, 70), "dstate": sizes(1, 70),
}  # fmt: skip
KERNELS = (
    PACKAGE.kernel(
        "ops.triton.k_activations", lambda ops, xy: ops.swiglu(xy),
        gated_norms.swiglu, name="swiglu", xy=(..., "2*width"), width=WIDTHS, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.layernorm_gated", lambda ops, x, weight, bias, z: ops.layernorm_fn(x, weight, bias, z),
        gated_norms.layer_norm_then_gate, name="layer_norm_then_gate",
        x=(..., "width"), weight=("width",), bias=("width",), z=(..., "width"), width=WIDTHS, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.layernorm_gated",
        lambda ops, x, weight, bias, z: ops.layernorm_fn(x, weight, bias, z, norm_before_gate=False),
        gated_norms.layer_norm_of_gated, name="layer_norm_of_gated",
        x=(..., "width"), weight=("width",), bias=("width",), z=(..., "width"), width=WIDTHS, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.layernorm_gated",
        lambda ops, x, weight, z, groups:
            ops.rmsnorm_fn(x, weight, None, z, group_size=x.shape[-1] // groups, norm_before_gate=False),
        gated_norms.grouped_rms_norm_of_gated, name="grouped_rms_norm_of_gated",
        x=(..., "3*width"), weight=("3*width",), z=(..., "3*width"), groups=3, width=sizes(1, 700), gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, weight, bias, residual: ops.layer_norm_fn(x, weight, bias, residual, prenorm=True),
        gated_norms.layer_norm_of_sum, name="layer_norm",
        x=(..., "width"), weight=("width",), bias=("width",), residual=(..., "width"), width=WIDTHS, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.layer_norm",
        lambda ops, x, x1, residual, weight, weight1:
            ops.rms_norm_fn(x, weight, None, residual, x1, weight1, prenorm=True),
        gated_norms.rms_norms_of_sum, name="rms_norms_of_sum",
        x=(..., "width"), x1=(..., "width"), residual=(..., "width"), weight=("width",), weight1=("width",),
        width=WIDTHS, gradients=True,
    ),
    PACKAGE.kernel(
        "ops.triton.selective_state_update",
        lambda ops, state, x, dt, A, B, C, D, z, dt_bias:
            ops.selective_state_update(state, x, dt, -A.abs(), B, C, D, z, dt_bias, dt_softplus=True),
        lambda state, x, dt, A, B, C, D, z, dt_bias:
            state_space.selective_state_update(state, x, dt, -A.abs(), B, C, D, z, dt_bias),
        name="selective_state_update",
        state=("batch", "2*groups", "width", "dstate"), x=("batch", "2*groups", "width"),
        dt=("batch", "2*groups", "width"), A=("2*groups", "width", "dstate"), B=("batch", "groups", "dstate"),
        C=("batch", "groups", "dstate"), D=("2*groups", "width"), z=("batch", "2*groups", "width"),
        dt_bias=("2*groups", "width"), batch=sizes(0, 5), groups=sizes(1, 3), width=sizes(1, 70), dstate=sizes(1, 140),
    ),
    PACKAGE.kernel(
        "ops.triton.ssd_chunk_state",
        lambda ops, dt, A, dt_bias, chunk_size: ops._chunk_cumsum_fwd(dt, A, chunk_size, dt_bias, dt_softplus=True),
        state_space.chunk_cumsum, name="chunk_cumsum", dt=SSD["dt"], A=SSD["A"], dt_bias=SSD["A"], chunk_size=CHUNKS,
        batch=sizes(1, 3), seqlen=sizes(1, 200), groups=sizes(1, 40),
    ),
    PACKAGE.kernel(
        "ops.triton.ssd_chunk_state",
        lambda ops, B, x, dt, dA: ops._chunk_state_fwd(B, x, F.softplus(dt), -dA.abs().cumsum(-1)),
        lambda B, x, dt, dA: state_space.chunk_state(B, x, F.softplus(dt), -dA.abs().cumsum(-1)), name="chunk_state",
        B=SSD["B"], x=SSD["x"], dt=("batch", "2*groups", "chunks", 32), dA=("batch", "2*groups", "chunks", 32),
        batch=sizes(1, 3), groups=sizes(1, 3), headdim=sizes(1, 70), dstate=sizes(1, 70), chunks=sizes(1, 4),
        seqlen=sizes(1, "32*chunks"), supports=lambda call: -(-call.sizes["seqlen"] // 32) == call.sizes["chunks"],
    ),
    PACKAGE.kernel(
        "ops.triton.ssd_state_passing", lambda ops, states, dA, initial: ops.state_passing(states, -dA.abs(), initial),
        lambda states, dA, initial: state_space.state_passing(states, -dA.abs(), initial), name="state_passing",
        states=("batch", "chunks", "heads", "width"), dA=("batch", "heads", "chunks"),
        initial=("batch", "heads", "width"), gradients=True,
        batch=sizes(1, 3), heads=sizes(1, 3), chunks=sizes(1, 5), width=sizes(1, 600),
    ),
    PACKAGE.kernel(
        "ops.triton.ssd_bmm", lambda ops, a, b, chunk_size: ops._bmm_chunk_fwd(a, b, chunk_size),
        state_space.bmm_chunk, name="bmm_chunk", a=SSD["B"], b=SSD["B"], chunk_size=CHUNKS,
        batch=sizes(1, 3), seqlen=sizes(1, 200), groups=sizes(1, 3), dstate=sizes(1, 140), dtypes=HALVES,
    ),
    PACKAGE.kernel(
        "ops.triton.ssd_combined",
        lambda ops, x, dt, A, B, C, D:
            ops.mamba_chunk_scan_combined(x, F.softplus(dt), -A.abs(), B, C, 32, D.contiguous()),  # asserts it
        lambda x, dt, A, B, C, D: state_space.scan(x, F.softplus(dt), -A.abs(), B, C, D), name="ssd",
        **SSD, D=("2*groups",), gradients=True,
    ),
)  # fmt: skip
