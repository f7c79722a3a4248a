"""triton_kernels' routing: top-k, softmax and a sort by expert, as of the version that vLLM 0.33 carries.

Installed, or of a source tree: `EAGERDIFF_TRITON_KERNELS`, the folder that holds `triton_kernels/`.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from compiled.adapters.limits import first
from harness import Declined, Implementation, Requirements, SourceTree


def _tree(module: str) -> SourceTree:
    return SourceTree("triton_kernels", "EAGERDIFF_TRITON_KERNELS", (f"triton_kernels.{module}",))


TOPK, TREE = _tree("topk"), _tree("routing")


class _Launcher:
    """Launch a kernel on other tensors than it is called with, of the same memory, which the interpreter takes."""

    def __init__(self, kernel: Any, replace: Callable[[Any], Any]) -> None:
        self.kernel, self.replace = kernel, replace

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        return lambda *args, **options: self.kernel[grid](*map(self.replace, args), **options)


def _unwrap(arg: Any) -> Any:
    """Return the tensor within one of triton_kernels' own, which Triton takes and its interpreter does not."""
    return arg if isinstance(arg, Tensor) or not hasattr(arg, "storage") else arg.storage.data


def _widen(arg: Any) -> Any:
    """Return all of what was allocated: the kernel that initialises it fills that, though given a part."""
    return arg._base if isinstance(arg, Tensor) and arg._base is not None and arg.storage_offset() == 0 else arg


def load() -> Any:
    """Import the routing, and with it the top-k that it imports when it is called."""
    topk: Any = TOPK.load()
    module: Any = TREE.load()
    if not isinstance(topk._topk_forward, _Launcher):
        topk._topk_forward = _Launcher(topk._topk_forward, _unwrap)
        module._combined_routing_memset = _Launcher(module._combined_routing_memset, _widen)
    return module


def adapt(module: Any) -> Callable[..., tuple[Tensor, Tensor, Tensor]]:
    """Return `moe_routing` by `routing`, whose routes stand in order of their expert; slots are put in order again."""

    def moe_routing(
        router_logits: Tensor, *, top_k: int, scoring: str = "softmax", renormalize: bool = True, scaling: float = 1.0,
        **options: Any,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        if bool(((router_logits > float("-inf")).sum(dim=1) < top_k).any()):
            raise Declined("fewer experts than top_k may be chosen: every slot has one here")
        of_all = scoring == "softmax" and not renormalize
        data, gather, _ = module.routing(router_logits, top_k, sm_first=of_all)
        num_experts = router_logits.shape[1]
        counts = data.expt_hist.long()
        by_expert = torch.arange(num_experts, device=counts.device).repeat_interleave(counts)
        ids = torch.empty(router_logits.shape[0] * top_k, dtype=torch.long, device=counts.device)
        weights = torch.empty_like(ids, dtype=router_logits.dtype)
        ids[gather.src_indx.long()], weights[gather.src_indx.long()] = by_expert, data.gate_scal
        ids, weights = ids.view(-1, top_k), weights.view(-1, top_k)
        order = router_logits.gather(1, ids).argsort(dim=1, descending=True, stable=True)
        return weights.gather(1, order) * scaling, ids.gather(1, order), counts

    return moe_routing


def supports(case: Any) -> str | None:
    """Return why the routing does not take a case."""
    return first(
        {
            "each token to its best experts alone": case.way != "best",
            "softmax alone": case.scoring == "sigmoid",
            "no bias, groups, capacity, or experts elsewhere": (
                case.biased or case.num_groups > 1 or case.limited or case.local
            ),
            "experts a token in powers of two, as tl.arange has them": case.top_k & (case.top_k - 1),
            "32 experts a token at most, a block of the top-k": case.top_k > 32,
            "a token that goes nowhere, or with NaN, goes somewhere here": case.padding_tokens or case.nan_tokens,
        }
    )


IMPLEMENTATIONS = (
    Implementation(
        operator="moe_routing",
        name="triton_kernels.routing",
        build=lambda case: adapt(load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="triton_kernels' streaming top-k, and its sort of routes by expert",
    ),
)
