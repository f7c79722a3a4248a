"""Normalisation: softmax along a dim; layer, group, batch and instance norms, torch's and hand-written."""

from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, dim_of, kinds
from eagerdiff.strategies.programs.pattern import FLOATS, Bound, Derive, patterned
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "normalisation"


def along(
    name: str, source: str, *, result: str = "", gone: bool = False, least: int = 0, other: bool = False
) -> Operation:
    """Describe an operation along one dim, which `gone` takes away; `other` asks for a second operand."""

    def infer(context: Context, attrs: Attrs, *types: Type) -> Type:
        x = types[0]
        kinds(x, "float")
        if any((value.dtype, value.shape) != (x.dtype, x.shape) for value in types):
            raise IllTyped("the operands differ")
        dim = dim_of(x, attrs["dim"])
        context.need(x.shape[dim], least)
        return Type(result or x.dtype, x.without(dim) if gone else x.shape)

    def attrs(choices: Choices, *types: Type) -> Attrs:
        return {"dim": choices.dim(types[0])}

    def like(choices: Choices, x: Type) -> Type:
        return x.of()

    operands = (Operand(kinds=("float",), ndim=(1, 4)), *((Operand(matching=like),) if other else ()))
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, attrs=attrs, source=source)


def norm(name: str, pattern: str, source: str, **more: Any) -> Operation:
    """Describe a norm of tensors of one dtype."""
    described: dict[str, Any] = {"dtypes": FLOATS, **more}
    return patterned(name, FAMILY, pattern, source, **described)


def not_one(letters: str) -> Derive:
    """Ask that a product of sizes be anything but 1: torch refuses to normalise a single value."""

    def derive(context: Context, attrs: Attrs, bound: Bound) -> None:
        product = Size.of(1)
        for letter in letters:
            product = product * bound.sizes[letter]
        context.need((product - 1) * (product - 1), 1)

    return derive


OPERATIONS = (
    along("softmax", "{0}.softmax(dim={dim})"),
    along("log_softmax", "F.log_softmax({0}, dim={dim})"),
    along("softmin", "F.softmin({0}, dim={dim})"),
    along("softmax_upcast", "F.softmax({0}, dim={dim}, dtype=torch.float32)", result="float32"),
    along("softmax_written", "{0}.exp() / {0}.exp().sum({dim}, keepdim=True)", least=1),
    along("normalize", "F.normalize({0}, dim={dim})"),
    along("normalize_l1", "F.normalize({0}, p=1.0, dim={dim})"),
    along("normalize_written", "{0} / {0}.norm(dim={dim}, keepdim=True).clamp_min(1e-6)"),
    along("standardize", "({0} - {0}.mean({dim}, keepdim=True)) / ({0}.std({dim}, keepdim=True) + 1e-3)", least=2),
    along(
        "scale_to_range",
        "({0} - {0}.amin({dim}, True)) / ({0}.amax({dim}, True) - {0}.amin({dim}, True) + 1e-3)",
        least=1,
    ),
    along("cosine_similarity", "F.cosine_similarity({0}, {1}, dim={dim})", gone=True, other=True),
    norm("layer_norm", "... d, d, d -> ... d", "F.layer_norm({0}, {0}.shape[-1:], {1}, {2})"),
    norm(
        "layer_norm_weight",
        "... d, d -> ... d",
        "F.layer_norm({0}, ({0}.shape[-1],), {1}, eps={eps})",
        options={"eps": (1e-5, 1e-3)},
    ),
    norm("layer_norm_plain", "... d -> ... d", "F.layer_norm({0}, {0}.shape[-1:])"),
    norm("layer_norm_two", "... l d -> ... l d", "F.layer_norm({0}, {0}.shape[-2:])"),
    norm("rms_norm", "... d, d -> ... d", "F.rms_norm({0}, {0}.shape[-1:], {1})"),
    norm("rms_norm_eps", "... d -> ... d", "F.rms_norm({0}, ({0}.size(-1),), eps=1e-6)"),
    norm(
        "rms_norm_written",
        "... d, d -> ... d",
        "{1} * ({out}_wide * torch.rsqrt({out}_wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to({0}.dtype)",
        setup="{out}_wide = {0}.to(torch.float32)",
    ),
    norm(
        "layer_norm_written",
        "... d, d, d -> ... d",
        "({0} - {out}_mean) / ({out}_var + 1e-5).sqrt() * {1} + {2}",
        setup="{out}_mean = {0}.mean(-1, keepdim=True)\n{out}_var = {0}.var(-1, unbiased=False, keepdim=True)",
        least={"d": 1},
    ),
    norm("group_norm", "n 2*c l, 2*c, 2*c -> n 2*c l", "F.group_norm({0}, 2, {1}, {2})", derive=not_one("ncl")),
    norm("group_norm_one", "n c h w -> n c h w", "F.group_norm({0}, 1)", derive=not_one("nchw")),
    norm(
        "group_norm_each",
        "n c l, c -> n c l",
        "F.group_norm({0}, {0}.shape[1], {1})",
        derive=not_one("nl"),
        least={"c": 1},
    ),
    norm(
        "batch_norm",
        "n c, c, c -> n c",
        "F.batch_norm({0}, None, None, {1}, {2}, training=True)",
        derive=not_one("n"),
        least={"c": 1},
    ),
    norm(
        "batch_norm_2d",
        "n c h w, c -> n c h w",
        "F.batch_norm({0}, None, None, {1}, training=True)",
        derive=not_one("nhw"),
        least={"c": 1},
    ),
    norm(
        "batch_norm_eval", "n c l, c, c -> n c l", "F.batch_norm({0}, {1}.detach(), {2}.detach().abs())", least={"c": 1}
    ),
    norm(
        "batch_norm_eval_2d",
        "n c h w, c, c, c, c -> n c h w",
        "F.batch_norm({0}, {1}.detach(), {2}.detach().abs(), {3}, {4})",
        least={"c": 1},
    ),
    norm(
        "batch_norm_running",
        "n c l, c -> n c l, c, c",
        "F.batch_norm({0}, {out}_mean, {out}_var, training=True, momentum={momentum}), {out}_mean, {out}_var",
        setup="{out}_mean, {out}_var = {1}.detach().clone(), {1}.detach().abs()",
        options={"momentum": (0.1, 0.5)},
        derive=not_one("nl"),
    ),
    norm(
        "instance_norm",
        "n c l, c, c -> n c l",
        "F.instance_norm({0}, weight={1}, bias={2})",
        derive=not_one("l"),
        least={"n": 1, "c": 1},
    ),
    norm("instance_norm_2d", "n c h w -> n c h w", "F.instance_norm({0})", derive=not_one("hw")),
    norm(
        "local_response_norm",
        "n c l -> n c l",
        "F.local_response_norm({0}, {size}, alpha=0.1)",
        options={"size": (2, 3, 1)},
        guards=1,  # it returns what has no elements
    ),
)
