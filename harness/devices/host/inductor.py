"""Inductor's GPU code, generated for the processor and compiled as hand-written kernels are."""

from typing import Any

from eagerdiff.harness.internals import dynamo_config
from eagerdiff.harness.internals.inductor_triton_backend import HELPERS, TARGET
from eagerdiff.harness.internals.triton_compiler import GPUTarget


def prepare(target: tuple[str, int | str, int]) -> None:
    """Make Inductor emit Triton for the processor, in this process, without caches that would hide a compilation."""
    dynamo_config.emit_triton()
    dynamo_config.compile_here()
    dynamo_config.switch_graph_caches_off()

    def name_target(*_: Any) -> GPUTarget:
        return GPUTarget(*target)

    TARGET.replace(name_target)
    for name in ("set_driver_to_cpu", "set_driver_to_gpu"):
        HELPERS[name].replace(_keep_driver)
    HELPERS["get_backend_options"].replace(dict)


def _keep_driver() -> None:
    """Keep the driver that is there."""
