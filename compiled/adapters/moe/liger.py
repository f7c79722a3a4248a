"""Liger's fused mixture of experts in Triton, as of Liger 0.8: routes sorted by kernels, SwiGLU in the first product.

Installed, or of a source tree: `EAGERDIFF_LIGER`, the folder that holds `liger_kernel/`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.moe.layer import Layer, at_no_weight, routed
from eagerdiff.strategies.cases.moe import MoeCase

TREE = SourceTree("liger_kernel", "EAGERDIFF_LIGER", ("liger_kernel.ops.fused_moe",))


def adapt(module: Any) -> Callable[..., Tensor]:
    """Return `moe` by Liger's `LigerFusedMoEFunction`.

    Its arguments and result [T, H] are as the reference's; it raises Declined as `at_no_weight` does.
    """

    def experts(x: Tensor, topk_weights: Tensor, topk_ids: Tensor, layer: Layer) -> Tensor:
        ids = at_no_weight(x, topk_ids).int()
        return module.LigerFusedMoEFunction.apply(x, layer.w_gate_up, layer.w_down, ids, topk_weights)

    return routed(experts)


def supports(case: MoeCase) -> str | None:
    """Return why Liger does not take a case."""
    return first(
        {
            **unusual(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            f"weights of {case.weight_dtype}": case.weight_dtype != "as_x",
            "SwiGLU alone": case.activation != "swiglu",
            "no biases": case.expert_bias,
            "no weights before the experts": case.weight_first,
            "no experts on other ranks": case.experts_elsewhere,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="liger.fused_moe",
        build=lambda case: adapt(TREE.load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="Liger's fused experts, forward",
    ),
)
