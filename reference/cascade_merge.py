"""Merging partial attention: the softmax over a whole context from those over its parts."""

import torch
from torch import Tensor


def cascade_merge(outputs: Tensor, lses: Tensor) -> tuple[Tensor, Tensor]:
    """Merge what each query got from each part of its context.

    outputs [X, T, H, D]: attention over part x alone; lses float32 [X, T, H]: the log-sum-exp of its scores, base e,
    -inf where it saw no key: its output is not read then. Return the output [T, H, D] in the outputs' dtype and the
    log-sum-exp [T, H]; zeros and -inf where no part saw a key (FlashInfer, arXiv 2501.01005, section 2.2), NaN where
    a log-sum-exp is NaN. Both may lie anyhow: [H, T], or expanded.
    """
    lse_TH = torch.logsumexp(lses, dim=0)
    empty_XTH = lses.isneginf()
    weight_XTH = torch.softmax(lses, dim=0).masked_fill(empty_XTH, 0.0)
    outputs_XTHD = outputs.to(weight_XTH.dtype).masked_fill(empty_XTH[..., None], 0.0)
    return (weight_XTH[..., None] * outputs_XTHD).sum(dim=0).to(outputs.dtype), lse_TH
