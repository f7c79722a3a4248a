"""triton_kernels' routing: top-k, softmax and a sort by expert, as of the version that vLLM 0.33 carries.

Installed, or of a source tree: `EAGERDIFF_TRITON_KERNELS`, the folder that holds `triton_kernels/`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Declined, Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase


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
    """Return `moe_routing` by `routing`, whose routes stand in order of their expert; slots are put in order again.

    Its arguments and result, weights and ids [T, K] and counts [E], are as the reference's. It raises Declined where a
    token may choose fewer experts than top_k.
    """

    def moe_routing(
        router_logits: Tensor, *, top_k: int, scoring: str = "softmax", renormalize: bool = True, scaling: float = 1.0,
        **options: Any,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        if bool(((router_logits > float("-inf")).sum(dim=1) < top_k).any()):
            raise Declined("fewer experts than top_k may be chosen: every slot has one here")
        of_all = scoring == "softmax" and not renormalize
        data, gather, _ = module.routing(router_logits, top_k, sm_first=of_all)
        counts = data.expt_hist.long()
        of_route = gather.src_indx.argsort()  # where each route is among the sorted ones
        by_expert = torch.searchsorted(counts.cumsum(0), torch.arange(len(of_route), device=counts.device), right=True)
        ids, weights = by_expert[of_route].view(-1, top_k), data.gate_scal[of_route].view(-1, top_k)
        # An id that is no expert's stays, in the last slot.
        padded = torch.nn.functional.pad(router_logits, (0, 1), value=float("-inf"))
        order = padded.gather(1, ids).argsort(dim=1, descending=True, stable=True)
        return weights.gather(1, order) * scaling, ids.gather(1, order), counts

    return moe_routing


def supports(case: MoeRoutingCase) -> str | None:
    """Return why the routing does not take a case."""
    return first(
        {
            **unusual(case),
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


IMPLEMENTATIONS: Sequence[Implementation[MoeRoutingCase]] = (
    Implementation(
        operator="moe_routing",
        name="triton_kernels.routing",
        build=lambda case: adapt(load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="triton_kernels' streaming top-k, and its sort of routes by expert",
    ),
)
