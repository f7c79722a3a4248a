"""Inductor's GPU back end: what its generated Triton code calls when it runs on the interpreter."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook

_HELPERS = "torch._inductor.runtime.triton_helpers"
_WHY = "the interpreted device replaces"
HELPERS = {
    name: Hook("torch", f"{_HELPERS}:{name}", _WHY, since="2.9")
    for name in (
        "set_driver_to_cpu",
        "set_driver_to_gpu",
        "if_mask",
        "constexpr_next_power_of_2",
        "get_backend_options",
    )
}
TARGET = Hook(
    "torch", "torch._inductor.runtime.triton_heuristics:GPUTarget", "tells the host device's target", since="2.9"
)
PROPERTIES = Hook(
    "torch",
    "torch._inductor.runtime.hints:DeviceProperties",
    "tells a generated kernel for which GPU it is tuned",
    since="2.9",
    parameters=("type", "cc", "warp_size"),
)
HOOKS = {
    **HELPERS,
    "target": TARGET,
    "properties": PROPERTIES,
    "interpret": Hook(
        "torch",
        "torch._inductor.runtime.triton_heuristics:CachingAutotuner._interpret_args_grid",
        "says a kernel's types to the interpreted device",
        since="2.9",
        parameters=("args", "cfg"),
    ),
}

if TYPE_CHECKING:  # in hints alone
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner as CachingAutotuner
