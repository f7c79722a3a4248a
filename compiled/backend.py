"""Back ends of `torch.compile`: all that is known of one, in one record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eagerdiff import Stage


@dataclass(frozen=True, kw_only=True, eq=False)
class Backend:
    """Describe a back end; one of your own is given to `Compilable.implementations` beside ours."""

    name: str
    """Stands in the names of implementations."""
    stage: Stage
    """Where torch's compiler ends."""
    called: str
    """What `torch.compile` calls it."""
    devices: Sequence[str] = ("cpu", "cuda")
    """Where what it makes runs."""
    options: Mapping[str, Any] | None = None
    """Inductor's settings that it needs, passed on with others as `options`; None: it takes no options."""
    settings: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    """Values besides the default of Inductor's settings that it alone heeds; see `inductor_settings.OTHERS`."""

    @property
    def configured(self) -> bool:
        """Whether it heeds Inductor's settings, but takes them from Inductor's own module alone."""
        return self.options is None and self.stage.decomposes


DYNAMO = Backend(name="dynamo", stage=Stage.DYNAMO, called="eager")
AOT_EAGER = Backend(name="aot_eager", stage=Stage.AOT, called="aot_eager")
AOT_DECOMP = Backend(name="aot_decomp", stage=Stage.DECOMPOSED, called="aot_eager_decomp_partition")
INDUCTOR = Backend(
    name="inductor",
    stage=Stage.INDUCTOR,
    called="inductor",
    # A pool of compiling processes costs seconds to start, in every worker.
    options={"compile_threads": 1},
    settings={
        "cpp.enable_loop_tail_vec": (False,),
        "cpp.enable_tiling_heuristics": (False,),
        "cpp.fallback_scatter_reduce_sum": (False,),
        "cpp.max_horizontal_fusion_size": (1,),
        "cpp.min_chunk_size": (1,),
        "cpp.no_redundant_loops": (False,),
        "cpp.simdlen": (0, 256),
        "cpp.use_two_step_variance_threshold": (8,),
    },
)
INDUCTOR_TRITON = Backend(
    name="inductor_triton",
    stage=Stage.INDUCTOR,
    called="inductor",
    devices=("interpreted",),
    options={"compile_threads": 1, "cpu_backend": "triton"},
    settings={
        # Not `triton.dense_indexing`: with it no kernel with a loop runs, and no search would get past that
        # (corpus/scripts/inductor_triton_dense_indexing_mask_before_loop.py). Nor `triton.use_block_ptr`: deprecated.
        "dynamic_scale_rblock": (False,),
        "triton.coalesce_tiling_analysis": (False,),
        "triton.max_tiles": (1, 3),
        "triton.mix_order_reduction": (False,),
        "triton.persistent_reductions": (False,),
        "triton.prefer_nd_tiling": (True,),
        "triton.tile_reductions": (True,),
        "triton.tiling_prevents_pointwise_fusion": (False,),
        "triton.tiling_prevents_reduction_fusion": (False,),
    },
)
"""Inductor's GPU code, on Triton's interpreter."""
BACKENDS = (DYNAMO, AOT_EAGER, AOT_DECOMP, INDUCTOR, INDUCTOR_TRITON)
"""Every back end, from Dynamo alone to code that Inductor generates."""
