"""Losses: a scalar where a reduction says so ("mean", "sum"), else one of each row ("none")."""

import torch
import torch.nn.functional as F
from torch import Tensor


def cross_entropy(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor | None = None,
    label_smoothing: float = 0.0,
    softcap: float | None = None,
    z_loss: float = 0.0,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> Tensor:
    """Return cross entropy of logits [rows, classes], labels [rows] int64, weight [classes].

    Logits are capped to softcap · tanh(logits / softcap) first; `z_loss` times the square of their logsumexp is added
    to a row's loss (PaLM, arXiv 2204.02311).
    """
    if softcap is not None:
        logits = softcap * torch.tanh(logits / softcap)
    fixed = None if weight is None else weight.detach()  # torch has no gradient of it
    loss = F.cross_entropy(
        logits, labels, fixed, reduction=reduction, label_smoothing=label_smoothing, ignore_index=ignore_index
    )
    if not z_loss:
        return loss
    kept = labels != ignore_index
    squares = z_loss * logits.logsumexp(-1).square().where(kept, 0)
    return loss + {"none": squares, "sum": squares.sum(), "mean": squares.sum() / kept.sum()}[reduction]


def linear_cross_entropy(
    x: Tensor, weight: Tensor, labels: Tensor, bias: Tensor, label_smoothing: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return cross entropy of x weightᵀ + bias: x [rows, width], weight [classes, width], bias [classes], labels [rows]."""
    return cross_entropy(F.linear(x, weight, bias), labels, label_smoothing=label_smoothing, reduction=reduction)


def kl_div(log_probs: Tensor, target: Tensor, reduction: str = "batchmean", log_target: bool = False) -> Tensor:
    """Return KL(target ‖ probs): log_probs, target [rows, classes]; a scalar, or [rows, classes] of "none"."""
    return F.kl_div(log_probs, target, reduction=reduction, log_target=log_target)


def jsd(log_q: Tensor, log_p: Tensor, beta: float = 0.5) -> Tensor:
    """Return the generalised Jensen-Shannon divergence, a mean of rows: log_q, log_p [rows, classes] (arXiv 2306.13649).

    At beta 0 it is KL(p ‖ q), at beta 1 KL(q ‖ p).
    """
    if beta in (0, 1):
        left, right = (log_q, log_p) if beta == 0 else (log_p, log_q)
        return F.kl_div(left, right, reduction="sum", log_target=True) / len(log_q)
    mixed = torch.log(beta * log_p.exp() + (1 - beta) * log_q.exp())
    parts = [F.kl_div(mixed, one, reduction="sum", log_target=True) for one in (log_p, log_q)]
    return (beta * parts[0] + (1 - beta) * parts[1]) / len(log_q)


def total_variation(p: Tensor, q: Tensor, reduction: str = "batchmean") -> Tensor:
    """Return ½ Σ |p - q|: p, q [rows, classes]; over rows ("batchmean"), over all ("mean"), "sum", or [rows, classes]."""
    loss = (p - q).abs() / 2
    if reduction == "none":
        return loss
    return loss.sum() / {"batchmean": p.shape[0], "mean": p.numel(), "sum": 1}[reduction]


def cross_entropy_and_variation(student: Tensor, teacher: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return cross entropy, and total variation to a fixed teacher: both logits [rows, classes], labels and results [rows]."""
    variation = (student.softmax(-1) - teacher.detach().softmax(-1)).abs().sum(-1) / 2
    return F.cross_entropy(student, labels, reduction="none"), variation


def pointwise(x: Tensor, target: Tensor, kind: int, reduction: str = "mean", parameter: float = 1.0) -> Tensor:
    """Return a loss of x - target of any shape: 0 smooth L1, 1 L1, 2 squares, 3 Huber; "none" leaves the shape."""
    if kind == 0:
        return F.smooth_l1_loss(x, target, reduction=reduction, beta=parameter)
    if kind == 3:
        return F.huber_loss(x, target, reduction=reduction, delta=parameter)
    return (F.l1_loss, F.mse_loss)[kind - 1](x, target, reduction=reduction)


def nll(log_probs: Tensor, labels: Tensor, reduction: str = "mean", weight: Tensor | None = None) -> Tensor:
    """Return -log_probs at the labels: log_probs [batch, classes, ...], labels [batch, ...], weight [classes]."""
    return F.nll_loss(log_probs, labels, None if weight is None else weight.detach(), reduction=reduction)


def cross_entropy_of_rows(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor | None = None,
    label_smoothing: float = 0.0,
    softcap: float | None = None,
    z_loss: float = 0.0,
) -> Tensor:
    """Return `cross_entropy` without reduction: logits [rows, classes], labels and the result [rows]."""
    return cross_entropy(logits, labels, weight, label_smoothing, softcap, z_loss, "none")
