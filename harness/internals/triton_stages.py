"""Triton's stages of compilation, its passes, and the LLVM and the linker that it carries."""

from typing import TYPE_CHECKING, Any

from eagerdiff.harness.internals.hook import Hook, reaching

_HOST = "compiles kernels for this machine"
HOOKS = {
    "ir": Hook("triton", "triton._C.libtriton:ir", _HOST, since="3.6"),
    "llvm": Hook("triton", "triton._C.libtriton:llvm", _HOST, since="3.6"),
    "passes": Hook("triton", "triton._C.libtriton:passes", _HOST, since="3.6"),
    "link": Hook(
        "triton", "triton._C.libtriton:amd.link_hsaco", "links what is compiled for this machine", since="3.6"
    ),
}
STAGES = Hook(
    "triton",
    "triton.knobs:runtime.add_stages_inspection_hook",
    "puts a stage of its own in the place of Triton's",
    since="3.6",
)
OPTIONS = {
    backend: Hook(
        "triton", f"{where}.parse_options", "leaves assertions on and overflow to the host device", since="3.6"
    )
    for backend, where in (
        ("cuda", "triton.backends.nvidia.compiler:CUDABackend"),
        ("hip", "triton.backends.amd.compiler:HIPBackend"),
    )
}

if TYPE_CHECKING:
    ir: Any
    llvm: Any
    passes: Any
    link: Any
else:
    __getattr__ = reaching(__name__, HOOKS)
