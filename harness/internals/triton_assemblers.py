"""The assemblers that Triton's wheel carries."""

from pathlib import Path

from eagerdiff.harness.internals.hook import Gone, Hook

HOOKS = {"folder": Hook("triton", "triton.backends.nvidia:__path__", "holds the assemblers", since="3.6")}


def cuobjdump() -> Path:
    """Return the path of the assembler's companion; raise Gone where this build of Triton does not carry it."""
    path = Path(next(iter(HOOKS["folder"].reach()))) / "bin" / "cuobjdump"
    if not path.exists():
        raise Gone("this Triton carries no cuobjdump")
    return path
