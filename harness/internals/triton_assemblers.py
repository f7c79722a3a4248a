"""The assemblers that Triton's wheel carries."""

from pathlib import Path

from eagerdiff.harness.internals.hook import Gone, Hook

HOOKS = {"folder": Hook("triton", "triton.backends.nvidia:__path__", "holds the assemblers", since="3.6")}


def cuobjdump() -> Path:
    """Return the path of the assembler's companion; raise Gone where this build of Triton does not carry it."""
    return _carried("cuobjdump")


def nvdisasm() -> Path:
    """Return the path of the disassembler; raise Gone where this build of Triton does not carry it."""
    return _carried("nvdisasm")


def _carried(name: str) -> Path:
    path = Path(next(iter(HOOKS["folder"].reach()))) / "bin" / name
    if not path.exists():
        raise Gone(f"this Triton carries no {name}")
    return path
