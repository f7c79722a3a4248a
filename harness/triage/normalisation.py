"""Normalisation: what varies in a message is replaced, so that one bug gives one text."""

import re

GENERATED = re.compile(r"\bc[a-z0-9]{40,}\b")
"""The name of a module that Inductor wrote: a hash of its text."""
KERNEL = re.compile(r"\btriton_(poi|per|red)_fused_\w+")
"""A kernel that Inductor named after all that it does."""
NUMBER = re.compile(r"((?:exit with status|SystemExit:) -?\d+)|[-+]?\d+(\.\d+)?(e[-+]?\d+)?")
"""A figure; the status by which a process ends is none: 0 and 3 are two bugs."""


LONGEST = 2000
"""Characters that are looked at: the time for more would grow with their square."""


def normalise(reason: str) -> str:
    """Replace what varies (numbers, addresses, symbols, generated files) so that one bug gives one text."""
    text = re.sub(r"\S*/\S+\.(?:cpp|py|so)\b", "FILE", reason[:LONGEST])
    text = KERNEL.sub("KERNEL", GENERATED.sub("GENERATED", text))
    text = re.sub(r"\bbackend='\w+' raised", "backend raised", text)
    text = re.sub(r"(?<=data-dependent expression ).*", "EXPR", text)
    text = re.sub(r"0x[0-9a-f]+", "ADDR", text)
    text = re.sub(r"\b[su]\d+\b", "SYM", text)
    text = NUMBER.sub(lambda found: found[1] or "N", text)
    text = re.sub(r"(?<=KeyError: )[SYMN*+/() -]*SYM[SYMN*+/() -]*$", "EXPR", text)
    return text[:160]
