"""Layers: what a script hands its program to, and in which layer of torch it goes wrong."""

import ast
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
_WAYS = {
    "aoti_compile_and_package": "AOTInductor",
    "draft_export": "torch.export",
    "export": "torch.export",
    "compile": COMPILE,
}
"""What a script calls → what is tested; the first that it has."""


def way_of(source: str) -> str:
    """Return what a script hands its program to: torch.compile, torch.export, AOTInductor; empty: none of them."""
    called = {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).startswith("torch")
    }
    return next((way for name, way in _WAYS.items() if name in called), "")


def layer_of(way: str, here: Ending, endings: Mapping[str, Ending]) -> str:
    """Return the layer in which a script goes wrong; empty where it does not."""
    if here.state is not State.PRESENT:
        return ""
    if not way:
        return "eager"
    return next((LAYERS[name] for name, ending in endings.items() if ending.state is State.PRESENT), way)
