"""MegaBlocks' dropless experts, as of 0.10, over stk's block-sparse products: rows padded to blocks of 128 an expert.

Installed, or of source trees: `EAGERDIFF_MEGABLOCKS`, the folder that holds `megablocks/`, and `EAGERDIFF_STK`, the one
that holds `stk/`. What MegaBlocks compiles from CUDA (sort, histogram, topology) is torch's here.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.moe.layer import Layer, at_no_weight, routed
from eagerdiff.compiled.moe.experts import act
from eagerdiff.strategies.cases.moe import MoeCase

BLOCK = 128
TREE = SourceTree("megablocks", "EAGERDIFF_MEGABLOCKS", ("megablocks.backend.kernels",))
PRODUCTS = SourceTree("stk", "EAGERDIFF_STK", ("stk.ops.linear_ops",))
INDICES = SourceTree("stk", "EAGERDIFF_STK", ("stk.ops.matrix_ops",))


def adapt(kernels: Any, products: Any, indices: Any) -> Callable[..., Tensor]:
    """Return `moe` as MegaBlocks' dMoE has it: gather with padding, SDD, activation, DSD, scatter with weights.

    Its arguments and result [T, H] are as the reference's; it raises Declined as `at_no_weight` does.
    """

    def experts(x: Tensor, topk_weights: Tensor, topk_ids: Tensor, layer: Layer) -> Tensor:
        hidden, top_k = x.shape[1], topk_ids.shape[1]
        bin_ids, routes = at_no_weight(x, topk_ids).int().flatten().sort(stable=True)
        counts = bin_ids.bincount(minlength=layer.num_experts)
        bins, padded = counts.cumsum(0).int(), ((counts + BLOCK - 1) // BLOCK * BLOCK).cumsum(0).int()
        by_expert = (routes.int(), bin_ids)
        rows = kernels.padded_gather(_padded(x, 0), *by_expert, None, bins, padded, top_k)
        projections = layer.w_gate_up.chunk(1 if layer.activation == "relu2" else 2, dim=1)
        topology = _topology(products, indices, rows, padded, _whole(projections[0].shape[1]))
        parts = [products.sdd(rows, _flat(projection).t(), topology) for projection in projections]
        topology._data = act(torch.cat([part.data for part in parts], dim=-1), layer.activation)
        found = products.dsd(topology, _flat(layer.w_down.mT))
        return kernels.padded_scatter(found, *by_expert, topk_weights.flatten(), bins, padded, top_k)[:, :hidden]

    return routed(experts)


def _whole(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _padded(matrix: Tensor, rows: int) -> Tensor:
    """Pad columns with zeros to whole blocks, and add rows of zeros: MegaBlocks takes no other sizes."""
    return pad(matrix, (0, _whole(matrix.shape[-1]) - matrix.shape[-1], 0, rows)).contiguous()


def _flat(weights_ENM: Tensor) -> Tensor:
    """Return weights as MegaBlocks stores them, the experts' rows one after another."""
    return _padded(weights_ENM, _whole(weights_ENM.shape[1]) - weights_ENM.shape[1]).flatten(0, 1)


def _topology(products: Any, indices: Any, rows: Tensor, padded_bins: Tensor, width: int) -> Any:
    """Return where the intermediate matrix has blocks: those of a row's own expert."""
    block_rows, across = len(rows) // BLOCK, width // BLOCK
    offsets = torch.arange(0, block_rows * across + 1, across, dtype=torch.int32, device=rows.device)
    expert = torch.searchsorted(padded_bins, torch.arange(block_rows, device=rows.device) * BLOCK, right=True)
    columns = (expert[:, None] * across + torch.arange(across, device=rows.device)).flatten().short()
    shape = (len(rows), width * len(padded_bins))
    data = torch.empty(len(columns), BLOCK, BLOCK, dtype=rows.dtype, device="meta")
    return products.Matrix(
        shape, data, indices.row_indices(shape, data, offsets, columns), columns, offsets,
        columns, offsets, offsets,  # of the transposed matrix, which is for gradients
    )  # fmt: skip


def supports(case: MoeCase) -> str | None:
    """Return why MegaBlocks does not take a case."""
    return first(
        {
            **unusual(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            f"weights of {case.weight_dtype}": case.weight_dtype != "as_x",
            "no biases beside sparse products": case.expert_bias,
            "no weights before the experts": case.weight_first,
            "no experts on other ranks": case.experts_elsewhere,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="megablocks.sparse",
        build=lambda case: adapt(TREE.load(), PRODUCTS.load(), INDICES.load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="MegaBlocks' dropless experts over stk's block-sparse products",
    ),
)
