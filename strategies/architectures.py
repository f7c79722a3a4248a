"""Cases of `architectures`: which one, and the batch and length in which its calls differ."""

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.reference.architectures import ARCHITECTURES, TOKENS, state
from eagerdiff.strategies.cases.architectures import ArchitectureCase
from eagerdiff.strategies.layouts import place

MOST_ROWS, MOST_TOKENS, MOST_SIDES = 9, 33, 5
IMAGE = "."
"""Stands in the axes of what is an image."""


def inputs(case: ArchitectureCase, device: str) -> Inputs:
    """Build data from a case's seed, then the architecture's parameters and buffers; raise ImportError."""
    generator = torch.Generator().manual_seed(case.seed)
    dtype = getattr(torch, case.dtype)
    data = [
        _data(case, position, axes, generator) for position, axes in enumerate(ARCHITECTURES[case.architecture].inputs)
    ]
    tensors = [one.to(dtype) if one.is_floating_point() else one for one in (*data, *state(case.architecture).values())]
    return Inputs(tuple(place(one, device) for one in tensors), {"name": case.architecture})


def _data(case: ArchitectureCase, position: int, axes: str, generator: torch.Generator) -> Tensor:
    """Return an image, token ids, or the mask of rows that are padded on the right."""
    if IMAGE in axes:
        side = 8 * case.seq
        return torch.randn(case.batch, 3, side, side, generator=generator)
    if position == 0:
        return torch.randint(TOKENS, (case.batch, case.seq), generator=generator)
    lengths = torch.randint(1, case.seq + 1, (case.batch, 1), generator=generator)
    return (torch.arange(case.seq) < lengths).long()


def cases() -> st.SearchStrategy[ArchitectureCase]:
    """Draw any call; shrinks to one row of one token."""
    statics = st.builds(dict, architecture=st.sampled_from([*ARCHITECTURES]), dtype=st.just("float32"))
    return statics.flatmap(_of)


def cases_like(case: ArchitectureCase) -> st.SearchStrategy[ArchitectureCase]:
    """Draw a call with the static fields of `case`."""
    return _of(dict(case.static_key))


def _of(statics: dict[str, str]) -> st.SearchStrategy[ArchitectureCase]:
    image = IMAGE in ARCHITECTURES[statics["architecture"]].inputs[0]
    return st.builds(
        ArchitectureCase,
        **{name: st.just(value) for name, value in statics.items()},
        batch=st.integers(1, MOST_ROWS),
        seq=st.integers(1, MOST_SIDES if image else MOST_TOKENS),
        seed=st.integers(0, 999),
    )
