"""Layers: what a script hands its program to, and in which layer of torch it goes wrong."""

import ast
import re
from collections.abc import Mapping

from eagerdiff.harness.corpus.interpreters import Ending, State

LAYERS = {
    "eager": "Dynamo",
    "aot_eager": "AOTAutograd",
    "aot_eager_decomp_partition": "decompositions and partitioner",
    "inductor": "Inductor",
}
"""Back end → what it adds to the one before. https://docs.pytorch.org/docs/stable/torch.compiler_troubleshooting.html"""
COMPILE = "torch.compile"
KERNEL = "Triton kernel"
"""What fails in a script that compiles nothing with torch, and uses Triton."""
_WAYS = {
    "aoti_compile_and_package": "AOTInductor",
    "draft_export": "torch.export",
    "export": "torch.export",
    "compile": COMPILE,
}
"""What a script calls → what is tested; the first that it has."""


def uses_triton(source: str) -> bool:
    """Whether a script has kernels of Triton's: its own, others', or those that Inductor writes for GPUs."""
    return "triton" in source.lower()


def way_of(source: str) -> str:
    """Return what a script hands its program to: torch.compile, torch.export, AOTInductor, a kernel; empty: none."""
    called = {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).startswith("torch")
    }
    return next((way for name, way in _WAYS.items() if name in called), KERNEL if uses_triton(source) else "")


def layer_of(way: str, here: Ending, endings: Mapping[str, Ending]) -> str:
    """Return the layer in which a script goes wrong; empty where it does not."""
    if here.state is not State.PRESENT:
        return ""
    if not way:
        return "eager"
    alike = beginning_of(here.why)
    failing = (name for name, one in endings.items() if one.state is State.PRESENT and beginning_of(one.why) == alike)
    return next((LAYERS[name] for name in failing), way)


def beginning_of(why: str) -> str:
    """Return what tells one failure from another: the exception's name, or a message's words before any figure."""
    return re.split(r"[:(\[\d]", why, maxsplit=1)[0].strip()
