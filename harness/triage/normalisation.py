"""Normalisation: what varies in a message is replaced, so that one bug gives one text."""

import re

GENERATED = re.compile(r"\bc[a-z0-9]{40,}\b")
"""The name of a module that Inductor wrote: a hash of its text."""
KERNEL = re.compile(r"\btriton_(poi|per|red)_fused_\w+")
"""A kernel that Inductor named after all that it does."""


def normalise(reason: str) -> str:
    """Replace what varies (numbers, addresses, symbols, generated files) so that one bug gives one text."""
    text = re.sub(r"\S*/\S+\.(?:cpp|py|so)\b", "FILE", reason)
    text = KERNEL.sub("KERNEL", GENERATED.sub("GENERATED", text))
    text = re.sub(r"\bbackend='\w+' raised", "backend raised", text)
    text = re.sub(r"(?<=data-dependent expression ).*", "EXPR", text)
    text = re.sub(r"0x[0-9a-f]+", "ADDR", text)
    text = re.sub(r"\b[su]\d+\b", "SYM", text)
    text = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    text = re.sub(r"(?<=KeyError: )[SYMN*+/() -]*SYM[SYMN*+/() -]*$", "EXPR", text)
    return text[:160]
