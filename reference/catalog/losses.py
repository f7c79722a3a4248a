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
    """Return cross entropy of x weightᵀ + bias: x [rows, width], weight [classes, width], labels [rows]."""
    return cross_entropy(F.linear(x, weight, bias), labels, label_smoothing=label_smoothing, reduction=reduction)


def kl_div(log_probs: Tensor, target: Tensor, reduction: str = "batchmean", log_target: bool = False) -> Tensor:
    """Return KL(target ‖ probs) to a fixed target: log_probs, target [rows, classes]; of "none" [rows, classes]."""
    return F.kl_div(log_probs, target.detach(), reduction=reduction, log_target=log_target)


def jsd_of_elements(log_q: Tensor, log_p: Tensor, beta: float = 0.5) -> tuple[Tensor, Tensor]:
    """Return the parts of the generalised Jensen-Shannon divergence, a mean of rows, and its gradient by log_q.

    log_q and log_p are [rows, classes], as both results are. At beta 0 it is KL(p ‖ q), at beta 1 KL(q ‖ p)
    (arXiv 2306.13649).
    """
    with torch.enable_grad():
        leaf = log_q.detach().requires_grad_()
        q, p = leaf.exp(), log_p.exp()
        mixed = {0.0: leaf, 1.0: log_p}.get(beta, torch.log(beta * p + (1 - beta) * q))
        weights = {0.0: (1.0, 0.0), 1.0: (0.0, 1.0)}.get(beta, (beta, 1 - beta))
        parts = (weights[0] * p * (log_p - mixed) + weights[1] * q * (leaf - mixed)) / len(log_q)
        (gradient,) = torch.autograd.grad(parts.sum(), leaf)
    return parts.detach(), gradient


def total_variation(p: Tensor, q: Tensor, reduction: str = "batchmean") -> Tensor:
    """Return ½ Σ |p - q| to a fixed q: [rows, classes] both; by rows ("batchmean"), all ("mean"), "sum", or "none"."""
    loss = (p - q.detach()).abs() / 2
    if reduction == "none":
        return loss
    return loss.sum() / {"batchmean": p.shape[0], "mean": p.numel(), "sum": 1}[reduction]


def cross_entropy_and_variation(student: Tensor, teacher: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return cross entropy, and total variation to a fixed teacher, of logits [rows, classes] and labels [rows]."""
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
