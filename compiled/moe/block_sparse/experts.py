# pyright: basic, reportIncompatibleMethodOverride=false
"""The experts as block-sparse products, with their gradients: a product is one launch, however many experts there are.

Forward SDD (gate and up, activated), then DSD (down). Backward SDD (of the activations), DSD (of x), and twice DSD with
the sparse matrix transposed (of the weights), as MegaBlocks has them (arXiv 2211.15841).
"""

import torch
from torch import Tensor

from eagerdiff.compiled.moe.block_sparse.dsd import dsd, dsd_transposed
from eagerdiff.compiled.moe.block_sparse.layout import lay_out
from eagerdiff.compiled.moe.block_sparse.sdd import sdd, sdd_backward
from eagerdiff.compiled.moe.block_sparse.topology import transpose
from eagerdiff.compiled.moe.combine import combine, weight_gradient


class Experts(torch.autograd.Function):
    """Weigh and add up what the experts of each token give: [T, H] from x [T, H] and topk_ids [T, K], int64.

    topk_weights [T, K], float32, multiply x where they come first; w_gate_up [E, J, H], w_down [E, H, I] and biases
    [E, J], [E, H] or None. Gradients are those of all but the ids.
    """

    @staticmethod
    def forward(
        ctx, x, topk_weights, w_gate_up, w_down, gate_up_bias, down_bias, topk_ids, activation, weight_first
    ) -> Tensor:
        """Compute the output [T, H], and keep what is activated where a gradient will be asked for."""
        intermediate = w_gate_up.shape[1] // (1 if activation == "relu2" else 2)
        wide = x.element_size() == 4
        layout = lay_out(topk_ids, len(w_down), x.shape[1], intermediate, activation, wide=wide)
        before, after = (topk_weights, None) if weight_first else (None, topk_weights)
        saved = layout.new_values(x, layout.halves) if any(ctx.needs_input_grad) else None
        act = sdd(x, w_gate_up, gate_up_bias, before, layout, activation, saved)
        rows = dsd(act, w_down.mT, down_bias, layout)
        ctx.layout, ctx.activation, ctx.weight_first = layout, activation, weight_first
        ctx.biased = gate_up_bias is not None, down_bias is not None
        ctx.save_for_backward(x, topk_weights, w_gate_up, w_down, topk_ids, act, saved, rows)
        return combine(rows, after, topk_ids)

    @staticmethod
    def backward(ctx, grad):
        """Return the gradients, zero for experts with no tokens and for tokens and routes with no expert."""
        x, topk_weights, w_gate_up, w_down, topk_ids, act, saved, rows = ctx.saved_tensors
        layout = ctx.layout
        before, after = (topk_weights, None) if ctx.weight_first else (None, topk_weights)
        grad_saved = sdd_backward(grad, w_down, after, saved, layout, ctx.activation)
        grad_rows = dsd(grad_saved, w_gate_up, None, layout)
        transposed = transpose(layout.topology, layout.num_columns)
        grad_gate_up, grad_down = torch.empty_like(w_gate_up), torch.empty_like(w_down)
        grad_biases = [
            weights.new_empty(weights.shape[:2]) if biased else None
            for weights, biased in zip((w_gate_up, w_down), ctx.biased, strict=True)
        ]
        dsd_transposed(grad_saved, x, before, grad_gate_up, transposed, layout, grad_biases[0])
        dsd_transposed(act, grad, after, grad_down.mT, transposed, layout, grad_biases[1], bias_of="x")
        of_weights = (grad_rows, x) if ctx.weight_first else (rows, grad)
        return (
            combine(grad_rows, before, topk_ids),
            weight_gradient(*of_weights, topk_ids),
            grad_gate_up,
            grad_down,
            *grad_biases,
            None,
            None,
            None,
        )
