"""Weights in a kernel: stored as x is, as float8_e4m3fn with a scale a block, or as int4 with a scale a group.

Suffixes: K inner dimension, N columns of the output.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false

import triton
import triton.language as tl


@triton.jit
def decode_e4m3(bits):
    """Return uint8 bits of float8_e4m3fn as float32: shifted into a float16 all but the exponent's bias is right.

    By hand, for not every GPU converts the format.
    """
    wide = bits.to(tl.uint16)
    half = ((wide & 0x80) << 8) | ((wide & 0x7F) << 7)
    number = half.to(tl.float16, bitcast=True).to(tl.float32) * 256.0
    return tl.where((wide & 0x7F) == 0x7F, float("nan"), number)


@triton.jit
def load_x(x_M, inner_K, stride_k, mask_MK, PACKED: tl.constexpr, dtype: tl.constexpr):
    """Load rows of x, whatever holds them, as `dtype`."""
    if PACKED:
        x_MK = decode_e4m3(tl.load(x_M[:, None] + inner_K[None, :] * stride_k, mask=mask_MK, other=0))
    else:
        x_MK = tl.load(x_M[:, None] + inner_K[None, :] * stride_k, mask=mask_MK, other=0.0)
    return x_MK.to(dtype)


@triton.jit
def load_weights(w_N, inner_K, stride_k, mask_KN, BITS: tl.constexpr, dtype: tl.constexpr):
    """Load weights [K, N] of columns that begin at w_N, unscaled, as `dtype`: exact in each."""
    if BITS == 4:
        byte_KN = tl.load(w_N[None, :] + (inner_K // 2)[:, None] * stride_k, mask=mask_KN, other=0x88).to(tl.int32)
        w_KN = (((byte_KN >> (inner_K % 2 * 4).to(tl.int32)[:, None]) & 15) - 8).to(tl.float32)
    elif BITS == 8:
        w_KN = decode_e4m3(tl.load(w_N[None, :] + inner_K[:, None] * stride_k, mask=mask_KN, other=0))
    else:
        w_KN = tl.load(w_N[None, :] + inner_K[:, None] * stride_k, mask=mask_KN, other=0.0)
    return w_KN.to(dtype)
