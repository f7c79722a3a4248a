"""Of x-transformers: attention with a mask."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check
from eagerdiff.suites.own.checked import Checked


def masked_attention(**asked: Any) -> Checked:
    from x_transformers import Attention

    attention, mask = Attention(dim=16, heads=2, dim_head=8, causal=True).eval(), torch.ones(2, 9, dtype=torch.bool)
    return check(attention, torch.randn(2, 9, 16), mask=mask, **asked)
