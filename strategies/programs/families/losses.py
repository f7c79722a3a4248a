"""Losses, summed, averaged and element by element."""

from typing import Any

from eagerdiff.strategies.programs.operation import Operation
from eagerdiff.strategies.programs.pattern import FLOATS, patterned

FAMILY = "losses"
_CLASSES = "n c, n:int64<c"


def loss(name: str, operands: str, each: str, call: str, **more: Any) -> tuple[Operation, Operation]:
    """Describe a loss twice: reduced to a number, and with one value for each of `each`."""
    options = dict(more.pop("options", {}))
    described: dict[str, Any] = {"dtypes": FLOATS, **more}
    source = f"F.{call.removesuffix(')')}, reduction={{reduction}})"
    one = patterned(
        name, FAMILY, f"{operands} ->", source, options={**options, "reduction": ("mean", "sum")}, **described
    )
    options["reduction"] = ("none",)
    return one, patterned(f"{name}_each", FAMILY, f"{operands} -> {each}", source, options=options, **described)


def paired(name: str, call: str, **more: Any) -> tuple[Operation, Operation]:
    """Describe a loss between two tensors of one shape."""
    return loss(name, "..., ...", "...", call, **more)


OPERATIONS = (
    *paired("mse_loss", "mse_loss({0}, {1})"),
    *paired("l1_loss", "l1_loss({0}, {1})"),
    *paired("smooth_l1_loss", "smooth_l1_loss({0}, {1}, beta={beta})", options={"beta": (1.0, 0.5, 0.0)}),
    *paired("huber_loss", "huber_loss({0}, {1}, delta={delta})", options={"delta": (1.0, 2.0)}),
    *paired("soft_margin_loss", "soft_margin_loss({0}, {1}.detach().sign())"),
    *paired("poisson_nll_loss", "poisson_nll_loss({0}.tanh(), {1}.abs())"),
    *paired("bce_with_logits", "binary_cross_entropy_with_logits({0}, {1}.sigmoid())"),
    *paired("bce", "binary_cross_entropy({0}.sigmoid().nan_to_num(0.5), {1}.sigmoid().nan_to_num(0.5))"),
    *paired("hinge_embedding_loss", "hinge_embedding_loss({0}, {1}.ge(0).to({0}.dtype) * 2 - 1)"),
    *loss(
        "bce_pos_weight",
        "... d, ... d, d",
        "... d",
        "binary_cross_entropy_with_logits({0}, {1}, pos_weight={2}.detach().abs())",
    ),
    *loss("kl_div", "n c, n c", "n c", "kl_div({0}.log_softmax(-1), {1}.softmax(-1))"),
    *loss("kl_div_log", "n c, n c", "n c", "kl_div(F.log_softmax({0}, 1), F.log_softmax({1}, 1), log_target=True)"),
    *loss("cross_entropy", _CLASSES, "n", "cross_entropy({0}, {1})"),
    *loss("cross_entropy_one", "c, :int64<c", "", "cross_entropy({0}, {1})"),
    *loss("cross_entropy_positions", "n c l, n l:int64<c", "n l", "cross_entropy({0}, {1})"),
    *loss("cross_entropy_tokens", "b l c, b l:int64<c", "b*l", "cross_entropy({0}.flatten(0, 1), {1}.flatten())"),
    *loss("cross_entropy_soft", "n c, n c", "n", "cross_entropy({0}, {1}.softmax(1))", least={"c": 1}),
    *loss("cross_entropy_weight", f"{_CLASSES}, c", "n", "cross_entropy({0}, {1}, weight={2}.detach().abs())"),
    *loss(
        "cross_entropy_smooth",
        _CLASSES,
        "n",
        "cross_entropy({0}, {1}, label_smoothing={smoothing}, ignore_index={ignored})",
        options={"smoothing": (0.1, 0.0, 0.5), "ignored": (0, -100, 1)},
    ),
    *loss("nll_loss", _CLASSES, "n", "nll_loss(F.log_softmax({0}, dim=1), {1})"),
    *loss("multi_margin_loss", _CLASSES, "n", "multi_margin_loss({0}, {1}, margin=0.5)", dtypes=("float32", "float64")),
    *loss("margin_ranking_loss", "n, n, n", "n", "margin_ranking_loss({0}, {1}, {2}.sign(), margin=0.5)"),
    *loss(
        "cosine_embedding_loss", "n d, n d, n:bool", "n", "cosine_embedding_loss({0}, {1}, {2} * 2 - 1, margin=0.25)"
    ),
    *loss(
        "triplet_margin_loss",
        "n d, n d, n d",
        "n",
        "triplet_margin_loss({0}, {1}, {2}, swap={swap})",
        options={"swap": (False, True)},
    ),
    *loss("multilabel_soft_margin_loss", "n c, n c", "n", "multilabel_soft_margin_loss({0}, {1}.sigmoid())"),
    *loss("gaussian_nll_loss", "..., ..., ...", "...", "gaussian_nll_loss({0}, {1}, {2}.square())", graph_break=True),
)
