"""Of einops: patterns in text, whose sizes change."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check
from eagerdiff.suites.own.checked import Checked


def rearrange(**asked: Any) -> Checked:
    from einops import rearrange

    return check(rearrange, torch.randn(2, 6, 5), "b (h d) n -> b h n d", h=2, **asked)


def reduce(**asked: Any) -> Checked:
    from einops import reduce

    return check(reduce, torch.randn(2, 3, 8), "b c (n w) -> b c n", "max", w=2, **asked)
