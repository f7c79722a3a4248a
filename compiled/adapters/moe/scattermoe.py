"""scattermoe's ParallelLinear in Triton, as of version 0.3: the first product gathers tokens, the second scatters them.

Installed, or of a source tree: `EAGERDIFF_SCATTERMOE`, the folder that holds `scattermoe/`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first, unusual
from eagerdiff.compiled.adapters.moe.layer import Layer, at_no_weight, routed
from eagerdiff.compiled.moe.experts import act
from eagerdiff.strategies.cases.moe import MoeCase


def _tree(module: str) -> SourceTree:
    return SourceTree("scattermoe", "EAGERDIFF_SCATTERMOE", (module,))


KERNELS, TREE = _tree("scattermoe.kernels.ops"), _tree("scattermoe.parallel_experts")


def load() -> Any:
    """Import scattermoe's products; the kernels first, which its package would import."""
    KERNELS.load()
    return TREE.load()


def adapt(module: Any) -> Callable[..., Tensor]:
    """Return `moe` by two of scattermoe's `parallel_linear`, as its own GLUMLP has them.

    Its arguments and result [T, H] are as the reference's; it raises Declined as `at_no_weight` does.
    """
    # Its sort is under torch.compile; what that makes of a sort is no kernel's matter.
    sort = getattr(module.flatten_sort_count, "_torchdynamo_orig_callable", module.flatten_sort_count)

    def experts(x: Tensor, topk_weights: Tensor, topk_ids: Tensor, layer: Layer) -> Tensor:
        by_expert = sort(at_no_weight(x, topk_ids), num_experts=layer.num_experts)
        gate_up = module.parallel_linear(
            x, layer.w_gate_up.mT, topk_ids.shape[1], *by_expert, expert_biases=layer.gate_up_bias, grouped_out=True
        )
        return module.parallel_linear(
            act(gate_up, layer.activation), layer.w_down.mT, 1, *by_expert, expert_biases=layer.down_bias,
            grouped_in=True, gates=topk_weights.to(x.dtype),
        )  # fmt: skip

    return routed(experts)


def supports(case: MoeCase) -> str | None:
    """Return why scattermoe does not take a case."""
    return first(
        {
            **unusual(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            f"weights of {case.weight_dtype}": case.weight_dtype != "as_x",
            "no weights before the experts": case.weight_first,
            "no experts on other ranks": case.experts_elsewhere,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    Implementation(
        operator="moe",
        name="scattermoe.parallel_linear",
        build=lambda case: adapt(load()),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        description="scattermoe's products over routes sorted by expert, with no padding",
    ),
)
