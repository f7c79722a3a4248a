"""Inductor's GPU code, generated for the processor and run on the interpreter."""

from typing import TYPE_CHECKING, TypeVar, cast

import triton
import triton.language as tl

from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals import dynamo_config
from eagerdiff.harness.internals.inductor_triton_backend import HELPERS, HOOKS

if TYPE_CHECKING:
    from eagerdiff.harness.internals.inductor_triton_backend import CachingAutotuner

T = TypeVar("T")


def prepare() -> None:
    """Make Inductor emit Triton for the processor, in this process, without caches that would hide a compilation."""
    dynamo_config.emit_triton()
    dynamo_config.compile_here()
    dynamo_config.switch_graph_caches_off()
    for name, helper in _HELPERS.items():
        HELPERS[name].replace(helper)
    _tell_types()


def _tell_types() -> None:
    """Have each kernel carry Inductor's own signature: a float64 number is not float32, as Triton's default is."""
    before = HOOKS["interpret"].reach()

    def with_types(
        self: "CachingAutotuner", args: tuple[Value, ...], config: triton.Config
    ) -> tuple[tuple[Value, ...], tuple[int, int, int]]:
        signature = cast(dict[str, object], self.triton_meta["signature"])
        self.fn.signature = {name: str(kind) for name, kind in signature.items()}
        return before(self, args, config)

    HOOKS["interpret"].replace(with_types)


def _keep_driver() -> None:
    """Keep the offline driver."""


def _if_mask(mask: tl.tensor | tl.constexpr | None, value: T) -> T | None:
    return None if mask is None or (isinstance(mask, tl.constexpr) and mask.value is None) else value


def _next_power_of_2(n: int | tl.constexpr) -> int:
    return cast(int, triton.next_power_of_2(n.value if isinstance(n, tl.constexpr) else n))


_HELPERS = {
    "set_driver_to_cpu": _keep_driver,
    "set_driver_to_gpu": _keep_driver,
    "if_mask": _if_mask,
    "constexpr_next_power_of_2": _next_power_of_2,
    "get_backend_options": dict,
}
"""What generated code calls, by name."""
