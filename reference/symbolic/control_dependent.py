"""Programs that decide on a value which way to go."""

import torch
from torch import Tensor

from eagerdiff.reference.symbolic.program import Program


def early_exit(x_BD: Tensor, w_LDD: Tensor, bias_L: Tensor) -> Tensor:
    """Run layers [L, D, D] until one is confident enough (CALM, arXiv 2207.07061); result [B, D]."""
    for layer in range(w_LDD.size(0)):
        x_BD = torch.tanh(x_BD @ w_LDD[layer])
        if torch.sigmoid(x_BD.mean() + bias_L[layer]).item() > 0.9:
            return x_BD
    return x_BD * 2.0


def cond_on_sum(x_BD: Tensor) -> Tensor:
    """Take one of two branches by the sign of a sum, inside the graph; x and result [B, D]."""

    def positive(x: Tensor) -> Tensor:
        return torch.sin(x) + 1.0

    def negative(x: Tensor) -> Tensor:
        return x * x - 0.5

    return torch.cond(x_BD.sum() > 0, positive, negative, (x_BD,))


def cond_on_item(x_SD: Tensor, flag: Tensor) -> Tensor:
    """Reduce along the changing size or leave it out; flag bool of no dims, x and result [S, D]."""

    def running(x: Tensor) -> Tensor:
        return x.cumsum(0).contiguous()

    def centred(x: Tensor) -> Tensor:
        return (x - 0.5 * x.mean(-1, keepdim=True)).contiguous()

    # torch.cond wants the same strides of both branches; its own error message asks for contiguous().
    return torch.cond(flag, running, centred, (x_SD,))


PROGRAMS = {
    "early_exit": Program(
        function=early_exit,
        kind="control-dependent",
        inputs=("batch .", ". . .", "."),
        unpadded="padded rows take part in the confidence",
        fullgraph=False,
        graphs=3,
        extra_reason="the frame that resumes inside the loop is compiled once for each turn",
    ),
    "cond_on_sum": Program(function=cond_on_sum, kind="control-dependent", inputs=("batch .",), outputs=("batch .",)),
    "cond_on_item": Program(
        function=cond_on_item, kind="control-dependent", inputs=("batch .", ""), outputs=("batch .",)
    ),
}
