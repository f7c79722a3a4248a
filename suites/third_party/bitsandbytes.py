"""bitsandbytes' Triton kernels, which Intel GPUs run (github.com/bitsandbytes-foundation/bitsandbytes)."""

from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import sizes
from eagerdiff.reference.catalog import quantisation
from eagerdiff.suites.third_party.package import Package

PACKAGE = Package("bitsandbytes", "bitsandbytes==0.50.2")
_KINDS = {"nf4": quantisation.NF4, "fp4": quantisation.SIGNED_FP4}


def _coded(ops: Any, x: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    """Return the greatest number of each 64, and which values [count] are wrong when they are read back."""
    blocks = len(x) // 64
    absmax, packed = x.new_empty(blocks), torch.empty(len(x) // 2, dtype=torch.uint8)
    ops.quantize_4bit_blockwise_triton(x, 64, kind, blocks, absmax, len(x), packed)
    values = quantisation.dequantize_4bit(packed, absmax.float(), 64, _KINDS[kind])
    return absmax, ~quantisation.is_nearest_code(x, values, absmax, 64, _KINDS[kind])


def _coded_right(x: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    return x.unflatten(0, (-1, 64)).abs().amax(-1), torch.zeros_like(x, dtype=torch.bool)


def _decoded(ops: Any, packed: Tensor, absmax: Tensor, kind: str) -> Tensor:
    found = absmax.new_empty(2 * len(packed))
    ops.dequantize_4bit_impl(packed, absmax, 64, kind, torch.float32, found)
    return found


def _bytes(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.randint(0, 256, (sizes["bytes"],), generator=generator).to(torch.uint8)


def _largest(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    return torch.rand(-(-sizes["bytes"] // 32), generator=generator) + 0.1


def _codes(sizes: Mapping[str, int], generator: torch.Generator) -> Tensor:
    """Return 256 numbers from -1 to 1, in order."""
    return torch.cat((torch.tensor([-1.0, 0.0, 1.0]), torch.rand(253, generator=generator) * 2 - 1)).sort().values


def _coded_in_bytes(ops: Any, x: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    packed, absmax = ops.quantize_blockwise_triton(x, table, 64)
    values = table[packed.long()] * absmax.repeat_interleave(64)[: len(x)]
    return absmax, ~quantisation.is_nearest_code(x, values, absmax, 64, tuple(table.tolist()))


def _coded_in_bytes_right(x: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    padded = F.pad(x, (0, -len(x) % 64))
    return padded.unflatten(0, (-1, 64)).abs().amax(-1), torch.zeros_like(x, dtype=torch.bool)


KERNELS = (
    PACKAGE.kernel(
        "backends.triton.kernels_4bit", _coded, _coded_right, name="quantize_4bit", x=("64*tiles",),
        kind=st.sampled_from(("nf4", "fp4")), tiles=sizes(1, 12), dtypes=(torch.float32, torch.float16), layouts=False,
    ),
    PACKAGE.kernel(
        "backends.triton.kernels_4bit", _decoded,
        lambda packed, absmax, kind: quantisation.dequantize_4bit(packed, absmax, 64, _KINDS[kind]),
        name="dequantize_4bit", packed=_bytes, absmax=_largest, kind=st.sampled_from(("nf4", "fp4")),
        bytes=sizes(1, 600),
    ),
    PACKAGE.kernel(
        "backends.triton.kernels_8bit_quant", _coded_in_bytes, _coded_in_bytes_right, name="quantize_8bit",
        x=("count",), table=_codes, count=sizes(1, 600), dtypes=(torch.float32,), layouts=False,
    ),
    PACKAGE.kernel(
        "backends.triton.kernels_8bit_quant",
        lambda ops, packed, absmax, table: ops.dequant_8bit_blockwise(packed, absmax, table, 32, torch.float32),
        lambda packed, absmax, table: table[packed.long()] * absmax.repeat_interleave(32)[: len(packed)],
        name="dequantize_8bit", packed=_bytes, absmax=_largest, table=_codes, bytes=sizes(1, 600),
    ),
)  # fmt: skip
