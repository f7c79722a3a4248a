"""Of rotary-embedding-torch: embeddings that turn with the position."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check
from eagerdiff.suites.own.checked import Checked


def apply_rotary_emb(**asked: Any) -> Checked:
    from rotary_embedding_torch import apply_rotary_emb

    return check(apply_rotary_emb, torch.randn(7, 8), torch.randn(2, 3, 7, 8), **asked)
