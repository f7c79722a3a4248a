"""vLLM's grouped top-k in torch's operations, as of vLLM 0.33, compiled as vLLM compiles it.

Installed, or of a source tree: `EAGERDIFF_VLLM`, the folder that holds `vllm/`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.vllm import source_tree
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase


class _Registry:
    """Register no operation."""

    @staticmethod
    def register(name: str) -> Callable[[type], type]:
        return lambda operation: operation


_LAYERS = "vllm.model_executor.layers"
_MOE = f"{_LAYERS}.fused_moe"
TREE = source_tree(
    f"{_MOE}.router.grouped_topk_router",
    {
        "vllm._custom_ops": {},
        "vllm._aiter_ops": {"rocm_aiter_ops": None},
        "vllm.distributed.eplb.eplb_state": {"EplbLayerState": object},
        "vllm.forward_context": {"get_forward_context": None, "is_forward_context_available": lambda: False},
        "vllm.model_executor.custom_op": {"CustomOp": _Registry},
        "vllm.model_executor.utils": {"maybe_disable_graph_partition": lambda backend: {}},
        f"{_MOE}.config": {"RoutingMethodType": object, "get_routing_method_type": None},
        f"{_MOE}.experts.rocm_aiter_moe": {"rocm_aiter_grouped_topk": None},
        f"{_MOE}.router.base_router": {"BaseRouter": object},
        f"{_MOE}.router.fused_topk_bias_router": {"fused_topk_bias": None},
        f"{_MOE}.router.fused_topk_router": {"fused_topk": None},
    },
)


def adapt(module: Any) -> Callable[..., tuple[Tensor, Tensor, Tensor]]:
    """Return `moe_routing` by vLLM's `grouped_topk`, whose slots are in no order, and are put in order again.

    Its arguments and result, weights and ids [T, K] and counts [E], are as the reference's.
    """

    def moe_routing(
        router_logits: Tensor, *, top_k: int, scoring: str = "softmax", renormalize: bool = True, scaling: float = 1.0,
        selection_bias: Tensor | None = None, num_groups: int = 1, kept_groups: int = 1,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        weights, ids = module.grouped_topk(
            router_logits, router_logits, top_k, renormalize, num_expert_group=num_groups, topk_group=kept_groups,
            scoring_func=scoring, routed_scaling_factor=scaling, e_score_correction_bias=selection_bias,
        )  # fmt: skip
        ids = ids.long()
        scores = router_logits.sigmoid() if scoring == "sigmoid" else router_logits.softmax(dim=-1)
        chosen_by = scores if selection_bias is None else scores + selection_bias
        order = chosen_by.gather(1, ids).argsort(dim=1, descending=True, stable=True)
        counts = torch.bincount(ids.flatten(), minlength=router_logits.shape[1])
        return weights.gather(1, order), ids.gather(1, order), counts

    return moe_routing


def supports(case: MoeRoutingCase) -> str | None:
    """Return why `grouped_topk` does not take a case."""
    return first(
        {
            **unusual(case),
            "each token to its best experts alone": case.way != "best",
            "softmax and sigmoid of all experts alone": case.scoring == "topk_softmax",
            "no capacity, and no experts elsewhere": case.limited or case.local,
            "groups of one expert, which have no two best": case.biased and case.num_groups == case.num_experts,
            "experts that are masked out have a score of 0, and may be chosen": case.masked or case.padding_tokens,
            "a token with NaN goes somewhere": case.nan_tokens,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeRoutingCase]] = (
    Implementation(
        operator="moe_routing",
        name="vllm.grouped_topk",
        build=lambda case: adapt(TREE.load()),
        supports=supports,
        devices=("cpu", "cuda"),
        requires=Requirements(source_tree=TREE),
        description="vLLM's grouped top-k, as DeepSeek-V2 and V3 have it, under torch.compile",
    ),
)
