"""Cases of `architectures`: which one, and the batch and length in which its calls differ."""

from collections.abc import Mapping
from typing import Literal

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff.strategies.cases.architectures import ArchitectureCase

MOST_ROWS, MOST_TOKENS, MOST_SIDES = 9, 33, 5
TOKENS = 61
"""Of each vocabulary."""
TAKES: Mapping[str, Literal["tokens", "padded tokens", "images"]] = {
    "bert": "padded tokens",
    "gpt2": "tokens",
    "llama": "padded tokens",
    "mistral": "tokens",
    "qwen2_moe": "tokens",
    "t5": "padded tokens",
    "deberta": "padded tokens",
    "clip_text": "tokens",
    "vit": "images",
    "resnet": "images",
    "convnext": "images",
    "unet": "images",
    "vae": "images",
}
"""What each architecture takes, by name; the names are those of `eagerdiff.reference.architectures`."""


def data(case: ArchitectureCase) -> list[Tensor]:
    """Build a case's data from its seed: images [B, 3, side, side], or token ids [B, S] and the mask of those there."""
    generator = torch.Generator().manual_seed(case.seed)
    if TAKES[case.architecture] == "images":
        side = 8 * case.seq
        return [torch.randn(case.batch, 3, side, side, generator=generator)]
    ids = torch.randint(TOKENS, (case.batch, case.seq), generator=generator)
    if TAKES[case.architecture] == "tokens":
        return [ids]
    lengths = torch.randint(1, case.seq + 1, (case.batch, 1), generator=generator)
    return [ids, (torch.arange(case.seq) < lengths).long()]


def cases() -> st.SearchStrategy[ArchitectureCase]:
    """Draw any call; shrinks to one row of one token."""
    statics = st.builds(dict, architecture=st.sampled_from([*TAKES]), dtype=st.just("float32"))
    return statics.flatmap(_of)


def cases_like(case: ArchitectureCase) -> st.SearchStrategy[ArchitectureCase]:
    """Draw a call with the static fields of `case`."""
    return _of(dict(case.static_key))


def _of(statics: dict[str, str]) -> st.SearchStrategy[ArchitectureCase]:
    longest = MOST_SIDES if TAKES[statics["architecture"]] == "images" else MOST_TOKENS
    return st.builds(
        ArchitectureCase,
        **{name: st.just(value) for name, value in statics.items()},
        batch=st.integers(1, MOST_ROWS),
        seq=st.integers(1, longest),
        seed=st.integers(0, 999),
    )
