"""References of training's kernels: each against an independent function of torch, or a loop."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.catalog import activations, convolution, dropout, losses, norms, rotary

SHAPES = ((1, 1), (3, 8), (2, 3, 17))


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed + sum(shape)), dtype=torch.float64)


def normalised(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()


def root_mean_square(x: Tensor) -> Tensor:
    return x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()


NORMS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "layer_norm": (norms.layer_norm, lambda x, w, b: normalised(x) * w + b),
    "rms_norm": (lambda x, w, b: norms.rms_norm(x, w, 1e-6, 1.0), lambda x, w, b: root_mean_square(x) * (1 + w)),
    "add_rms_norm": (
        lambda x, w, b: norms.add_rms_norm(x, 2 * x, w)[0],
        lambda x, w, b: root_mean_square(3 * x) * w,
    ),
    "add_layer_norm": (
        lambda x, w, b: norms.add_layer_norm(x, 2 * x, w, b)[0],
        lambda x, w, b: normalised(3 * x) * w + b,
    ),
    "modulated_rms_norm": (
        lambda x, w, b: norms.modulated_rms_norm(x, w, b, w),
        lambda x, w, b: root_mean_square(x) * w * (1 + b) + w,
    ),
    "parallel_layer_norm": (
        lambda x, w, b: norms.parallel_layer_norm(x, x, w, b, b, w)[1],
        lambda x, w, b: normalised(2 * x) * b + w,
    ),
    "dynamic_tanh": (
        lambda x, w, b: norms.dynamic_tanh(x, torch.full((1,), 0.5).double(), w, b),
        lambda x, w, b: w * (1 - 2 / (x.exp() + 1)) + b,
    ),
    "softmax": (lambda x, w, b: norms.softmax(x), lambda x, w, b: x.exp() / x.exp().sum(-1, keepdim=True)),
    "log_softmax": (lambda x, w, b: norms.log_softmax(x), lambda x, w, b: x - x.exp().sum(-1, keepdim=True).log()),
    "softmin": (lambda x, w, b: norms.softmin(x), lambda x, w, b: (-x).exp() / (-x).exp().sum(-1, keepdim=True)),
    "poly_norm": (
        lambda x, w, b: norms.poly_norm(x, torch.tensor([1.0, 2.0, 3.0]).double(), torch.tensor(4.0).double()),
        lambda x, w, b: root_mean_square(x**3) + 2 * root_mean_square(x**2) + 3 * root_mean_square(x) + 4,
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NORMS)
def test_norms(name: str, shape: tuple[int, ...]) -> None:
    x, weight, bias = drawn(*shape), drawn(shape[-1], seed=1), drawn(shape[-1], seed=2)
    found, wanted = (function(x, weight, bias) for function in NORMS[name])
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_norms_of_channels(groups: int) -> None:
    x, weight, bias = drawn(3, 6, 5), drawn(6, seed=1), drawn(6, seed=2)
    rows = normalised(x.view(3, groups, -1)).view(x.shape) * weight[:, None] + bias[:, None]
    torch.testing.assert_close(norms.group_norm(x, weight, bias, groups), rows)
    channels = normalised(x.transpose(0, 1).flatten(1)).view(6, 3, 5).transpose(0, 1)
    torch.testing.assert_close(norms.batch_norm(x, weight, bias), channels * weight[:, None] + bias[:, None])
    torch.testing.assert_close(norms.instance_norm(x), normalised(x))


def test_layer_norm_and_a_linear_layer() -> None:
    x, linear = drawn(3, 4), drawn(5, 4)
    found = norms.layer_norm_linear(x, torch.ones(4).double(), torch.zeros(4).double(), linear, drawn(5))
    torch.testing.assert_close(found, torch.einsum("rw,ow->ro", normalised(x), linear) + drawn(5))


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_sparsemax_is_the_nearest_point_of_the_simplex(width: int) -> None:
    x = drawn(5, width)
    found = norms.sparsemax(x)
    torch.testing.assert_close(found.sum(-1), torch.ones(5).double())
    threshold = (x - found).masked_fill(found == 0, math.nan)
    for row, taken, moved in zip(x, found, threshold, strict=True):
        kept = moved[~moved.isnan()]
        torch.testing.assert_close(kept, kept[:1].expand_as(kept))  # all that is kept moves alike
        assert bool((row[taken == 0] <= kept[0] + 1e-12).all())


@pytest.mark.parametrize("shape", SHAPES)
def test_gates(shape: tuple[int, ...]) -> None:
    gate, up = drawn(*shape), drawn(*shape, seed=1)
    sigmoid = 1 / (1 + (-gate).exp())
    normal = (1 + torch.erf(gate / math.sqrt(2))) / 2
    tanh = torch.tanh(math.sqrt(2 / math.pi) * (gate + 0.044715 * gate**3))
    torch.testing.assert_close(activations.swiglu(gate, up), gate * sigmoid * up)
    torch.testing.assert_close(activations.swiglu_scaled(gate / 2, up, 2.0, 3.0), gate * sigmoid * up * 3)
    torch.testing.assert_close(activations.swiglu_halves(torch.cat((gate, up), -1)), gate * sigmoid * up)
    torch.testing.assert_close(activations.geglu(gate, up), gate * normal * up)
    torch.testing.assert_close(activations.geglu_tanh(gate, up), gate * (1 + tanh) / 2 * up)
    torch.testing.assert_close(activations.glu(torch.cat((up, gate), -1)), up * sigmoid)
    torch.testing.assert_close(activations.relu_squared(gate), gate * gate * (gate > 0))


@pytest.mark.parametrize("kind", ["swiglu", "geglu", "geglu_tanh"])
def test_gradients_of_gates(kind: str) -> None:
    grad, gate, up = (drawn(3, 5, seed=seed) for seed in range(3))
    forward = getattr(activations, kind)
    leaves = [one.clone().requires_grad_() for one in (gate, up)]
    by_gate, by_up = torch.autograd.grad(forward(*leaves), leaves, grad)
    found = getattr(activations, f"{kind}_backward")(grad, gate, up)
    for one, wanted in zip(found, (forward(gate, up), by_up, by_gate), strict=True):
        torch.testing.assert_close(one, wanted)


def test_linear_layers() -> None:
    x, weight, bias = drawn(2, 3, 4), drawn(4, 5), drawn(5)
    wanted = torch.einsum("abi,io->abo", x, weight) + bias
    torch.testing.assert_close(activations.linear(x, weight, bias), wanted)
    torch.testing.assert_close(activations.linear(x, weight, bias, "relu"), wanted.clamp(min=0))
    torch.testing.assert_close(activations.linear_transposed(x, weight.T, bias), wanted)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy(reduction: str) -> None:
    logits, labels = 3 * drawn(6, 5), torch.tensor([0, 4, -100, 2, 2, -100])
    found = losses.cross_entropy(logits, labels, None, 0.1, 2.0, 0.01, reduction)
    rows: list[Tensor] = []
    for row, label in zip(2 * torch.tanh(logits / 2), labels.tolist(), strict=True):
        log_sum = row.exp().sum().log()
        smooth = 0.9 * -(row - log_sum)[max(label, 0)] + 0.1 * -(row - log_sum).mean()
        rows.append(row.sum() * 0 if label < 0 else smooth + 0.01 * log_sum**2)
    wanted = torch.stack(rows)
    torch.testing.assert_close(found, {"none": wanted, "sum": wanted.sum(), "mean": wanted.sum() / 4}[reduction])


def test_cross_entropy_of_a_linear_layer_and_with_weights() -> None:
    x, weight, bias, labels = drawn(3, 4), drawn(5, 4), drawn(5), torch.tensor([1, 0, 4])
    picked = -(x @ weight.T + bias).log_softmax(-1)[torch.arange(3), labels]
    torch.testing.assert_close(losses.linear_cross_entropy(x, weight, labels, bias), picked.mean())
    torch.testing.assert_close(losses.cross_entropy_of_rows(x @ weight.T + bias, labels), picked)
    classes = torch.arange(1, 6).double()
    weighted = (picked * classes[labels]).sum() / classes[labels].sum()
    torch.testing.assert_close(losses.cross_entropy(x @ weight.T + bias, labels, classes), weighted)
    torch.testing.assert_close(losses.nll((x @ weight.T + bias).log_softmax(-1), labels, "mean", classes), weighted)


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.5, 1.0])
def test_divergences(beta: float) -> None:
    q, p = drawn(3, 5).softmax(-1), drawn(3, 5, seed=1).softmax(-1)
    mixed = beta * p + (1 - beta) * q
    parts, gradient = losses.jsd_of_elements(q.log(), p.log(), beta)
    if 0 < beta < 1:
        wanted = (beta * (p * (p / mixed).log()).sum() + (1 - beta) * (q * (q / mixed).log()).sum()) / 3
    else:
        left, right = (p, q) if beta == 0 else (q, p)
        wanted = (left * (left / right).log()).sum() / 3
    torch.testing.assert_close(parts.sum(), wanted)
    step = torch.zeros(3, 5).double()
    step[1, 2] = 1e-6
    moved = [losses.jsd_of_elements(q.log() + sign * step, p.log(), beta)[0].sum() for sign in (1, -1)]
    torch.testing.assert_close((moved[0] - moved[1]) / 2e-6, gradient[1, 2], rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(losses.kl_div(q.log(), p), (p * (p / q).log()).sum() / 3)
    torch.testing.assert_close(losses.kl_div(q.log(), p.log(), "none", True), p * (p / q).log())


def test_distances() -> None:
    p, q, labels = drawn(4, 3).softmax(-1), drawn(4, 3, seed=1).softmax(-1), torch.tensor([0, 1, 2, 0])
    whole = sum(abs(a - b) / 2 for a, b in zip(p.flatten().tolist(), q.flatten().tolist(), strict=True))
    for reduction, count in (("sum", 1), ("batchmean", 4), ("mean", 12)):
        assert losses.total_variation(p, q, reduction).item() == pytest.approx(whole / count)
    entropy, variation = losses.cross_entropy_and_variation(p.log(), q.log(), labels)
    torch.testing.assert_close(entropy, -p.log()[torch.arange(4), labels])
    assert variation.sum().item() == pytest.approx(whole)
    for kind, function in enumerate((F.smooth_l1_loss, F.l1_loss, F.mse_loss, F.huber_loss)):
        torch.testing.assert_close(losses.pointwise(4 * p, 4 * q, kind), function(4 * p, 4 * q))
    far = losses.pointwise(torch.tensor([-3.0]), torch.zeros(1), 0, "sum", 0.5)
    assert far.item() == pytest.approx(3 - 0.25)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rotations_turn_pairs(interleaved: bool) -> None:
    angles = drawn(5, 3)
    x = drawn(2, 5, 4, 7)
    found = rotary.rotate_heads(x, angles.cos(), angles.sin(), interleaved)
    for pair in range(3):
        left, right = (2 * pair, 2 * pair + 1) if interleaved else (pair, pair + 3)
        turn = torch.polar(torch.ones(5).double(), angles[:, pair])[:, None]
        turned = torch.complex(x[..., left], x[..., right]) * turn
        torch.testing.assert_close(torch.complex(found[..., left], found[..., right]), turned)
    torch.testing.assert_close(found[..., 6], x[..., 6])


def test_rotations_at_positions() -> None:
    q, k, angles = drawn(2, 3, 5, 6), drawn(2, 1, 5, 6), drawn(9, 3)
    cos, sin = angles.cos(), angles.sin()
    plain = rotary.rope(q, k, cos[2:7], sin[2:7])
    for found, wanted in zip(rotary.rope_at(q, k, cos, sin, torch.arange(2, 7).expand(2, 5)), plain, strict=True):
        torch.testing.assert_close(found, wanted)


def test_dropout_completed_is_what_it_keeps() -> None:
    x = drawn(50)
    dropped = F.dropout(x, 0.5)
    assert 0 < (dropped == 0).sum() < 50
    torch.testing.assert_close(dropout.completed(dropped, x, 0.5), dropout.kept(x, 0.5))
    assert not torch.equal(dropout.completed(dropped * 2, x, 0.5), dropout.kept(x, 0.5))


@pytest.mark.parametrize(("stride", "padding"), [(1, 0), (2, 1)])
def test_convolution_is_a_loop(stride: int, padding: int) -> None:
    x, weight, bias = drawn(2, 4, 5, 6), drawn(6, 2, 3, 2), drawn(6)
    found = convolution.conv2d(x, weight, bias, stride, padding, 2)
    padded = F.pad(x, (padding,) * 4)
    for out in range(6):
        channels = padded[:, :2] if out < 3 else padded[:, 2:]
        for row in range(found.shape[2]):
            for column in range(found.shape[3]):
                part = channels[:, :, row * stride : row * stride + 3, column * stride : column * stride + 2]
                torch.testing.assert_close(found[:, out, row, column], (part * weight[out]).sum((1, 2, 3)) + bias[out])
