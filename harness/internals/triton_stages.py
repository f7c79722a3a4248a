"""Triton's stages of compilation, its passes, and the LLVM and the linker that it carries."""

import ctypes
import functools
import platform
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.internals.hook import Gone, Hook, reaching
from eagerdiff.harness.internals.releases import installed, release

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

LIBRARY = Hook(
    "triton", "triton._C.libtriton:__file__", "starts the part of LLVM that compiles for this machine", since="3.9"
)
_CANONICALIZES_GEP = (3, 8)
"""The first release of Triton that asks whether addresses are brought to one form."""
_STARTS_GPUS_ALONE = (3, 9)
"""The first release of Triton that starts LLVM for GPUs alone."""
_TARGETS = {"x86_64": "X86", "aarch64": "AArch64"}
_PARTS = ("TargetInfo", "Target", "TargetMC", "AsmPrinter")


@functools.cache
def start_host() -> None:
    """Have LLVM compile for this machine too; raise Gone where the library that Triton carries cannot."""
    HOOKS["llvm"].reach().init_targets()
    if release("triton") >= _STARTS_GPUS_ALONE:
        library = ctypes.CDLL(LIBRARY.reach())
        target = _TARGETS.get(platform.machine(), platform.machine())
        for part in _PARTS:
            try:
                start = library[f"LLVMInitialize{target}{part}"]
            except AttributeError as error:
                raise Gone(f"the LLVM of triton {installed('triton')} does not compile for {target}") from error
            start()


def object_code(text: str, triple: str, processor: str) -> bytes:
    """Return the object code of a module of LLVM IR; raise RuntimeError, of LLVM, where that does not verify."""
    fuse, as_object = True, True
    more = (False,) if release("triton") >= _CANONICALIZES_GEP else ()
    made: bytes = HOOKS["llvm"].reach().translate_to_asm(text, triple, processor, "", [], fuse, as_object, *more)
    return made


if TYPE_CHECKING:
    ir: Any
    llvm: Any
    passes: Any
    link: Any
else:
    __getattr__ = reaching(__name__, HOOKS)
