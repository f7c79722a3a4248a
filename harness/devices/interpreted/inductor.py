"""Inductor's GPU code, generated for the processor and run on the interpreter."""

# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportReturnType=false, reportAttributeAccessIssue=false
import triton
import triton.language as tl

from eagerdiff.harness.devices import graph_caches


def prepare() -> None:
    """Make Inductor emit Triton for the processor, in this process, without caches that would hide a compilation."""
    import torch._inductor.config as inductor
    from torch._inductor.runtime import triton_helpers

    inductor.cpu_backend = "triton"
    inductor.compile_threads = 1
    graph_caches.switch_off()
    triton_helpers.set_driver_to_cpu = _keep_driver
    triton_helpers.set_driver_to_gpu = _keep_driver
    triton_helpers.if_mask = _if_mask
    triton_helpers.constexpr_next_power_of_2 = _next_power_of_2
    triton_helpers.get_backend_options = dict
    _tell_types()


def _tell_types() -> None:
    """Have each kernel carry Inductor's own signature: a float64 number is not float32, as Triton's default is."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    before = CachingAutotuner._interpret_args_grid

    def with_types(self, args, config):
        self.fn.signature = {name: str(kind) for name, kind in self.triton_meta["signature"].items()}
        return before(self, args, config)

    CachingAutotuner._interpret_args_grid = with_types


def _keep_driver() -> None:
    """Keep the offline driver."""


def _if_mask(mask, value):
    return None if mask is None or (isinstance(mask, tl.constexpr) and mask.value is None) else value


def _next_power_of_2(n):
    return triton.next_power_of_2(n.value if isinstance(n, tl.constexpr) else n)
