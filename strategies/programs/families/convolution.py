"""Convolution and its transpose, patches unfolded and folded back."""

from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Context, Operation
from eagerdiff.strategies.programs.pattern import FLOATS, Bound, Derive, patterned
from eagerdiff.strategies.programs.window import sliding

FAMILY = "convolution"
_STEPS = {"stride": (1, 2, 3), "padding": (0, 1, 2), "dilation": (1, 2)}
_STEPS_TEXT = "stride={stride}, padding={padding}, dilation={dilation}"
_WIDER = {"stride": (1, 2), "padding": (0, 1), "extra": (0, 1)}


def convolution(name: str, pattern: str, source: str, pairs: str = "", **more: Any) -> Operation:
    """Describe a convolution with windows of three along every pair's dim."""
    described: dict[str, Any] = {"dtypes": FLOATS, "least": {"c": 1, "o": 1}, "options": _STEPS, **more}
    derive = sliding(pairs, 3)
    return patterned(name, FAMILY, pattern, source, derive=described.pop("derive", derive), **described)


def widening(pairs: str) -> Derive:
    """Derive the result's letters of a transposed convolution with windows of three."""

    def derive(context: Context, attrs: Attrs, bound: Bound) -> None:
        for length, count in pairs.split():
            size = bound.sizes[length]
            context.need(size, 1)
            bound.sizes[count] = (size - 1) * attrs["stride"] + (3 - 2 * attrs["padding"] + attrs.get("extra", 0))
            context.need(bound.sizes[count], 1)

    return derive


def _patches(context: Context, attrs: Attrs, bound: Bound) -> None:
    sliding("hi wj", 2)(context, attrs, bound)
    bound.sizes["p"] = bound.sizes["i"] * bound.sizes["j"]


def _cells(context: Context, attrs: Attrs, bound: Bound) -> None:
    bound.sizes["p"] = bound.sizes["h"] * bound.sizes["w"]


_CHANNELS = {"c": 1}

OPERATIONS = (
    convolution("conv1d", "n c l, o c 3 -> n o m", f"F.conv1d({{0}}, {{1}}, {_STEPS_TEXT})", "lm"),
    convolution("conv1d_bias", "n c l, o c 3, o -> n o m", f"F.conv1d({{0}}, {{1}}, {{2}}, {_STEPS_TEXT})", "lm"),
    convolution("conv1d_unbatched", "c l, o c 3, o -> o m", f"F.conv1d({{0}}, {{1}}, {{2}}, {_STEPS_TEXT})", "lm"),
    convolution(
        "conv1d_same",
        "n c l, o c 3 -> n o l",
        'F.conv1d({0}, {1}, padding="same", dilation={dilation})',
        options={"dilation": (1, 2)},
        least={"c": 1, "o": 1, "l": 1},
    ),
    convolution(
        "conv1d_causal",
        "n c l, o c 3 -> n o l",
        "F.conv1d(F.pad({0}, (2, 0)), {1})",
        options={},
        least={"c": 1, "o": 1, "l": 1},
    ),
    convolution(
        "conv1d_depthwise",
        "n c l, c 1 3 -> n c m",
        f"F.conv1d({{0}}, {{1}}, groups={{0}}.shape[1], {_STEPS_TEXT})",
        "lm",
        least=_CHANNELS,
    ),
    convolution(
        "conv1d_grouped",
        "n 2*c l, 2*o c 3, 2*o -> n 2*o m",
        f"F.conv1d({{0}}, {{1}}, {{2}}, groups=2, {_STEPS_TEXT})",
        "lm",
    ),
    convolution("conv2d", "n c h w, o c 3 3 -> n o i j", f"F.conv2d({{0}}, {{1}}, {_STEPS_TEXT})", "hi wj"),
    convolution(
        "conv2d_bias", "n c h w, o c 3 3, o -> n o i j", f"F.conv2d({{0}}, {{1}}, {{2}}, {_STEPS_TEXT})", "hi wj"
    ),
    convolution(
        "conv2d_point",
        "n c h w, o c 1 1 -> n o h w",
        "F.conv2d({0}, {1})",
        options={},
        least={"c": 1, "o": 1, "h": 1, "w": 1},
    ),
    convolution(
        "conv2d_depthwise",
        "n c h w, c 1 3 3 -> n c h w",
        "F.conv2d({0}, {1}, padding=1, groups={0}.shape[1])",
        options={},
        least={"c": 1, "h": 1, "w": 1},
    ),
    convolution(
        "conv_transpose1d",
        "n c l, c o 3 -> n o m",
        "F.conv_transpose1d({0}, {1}, stride={stride}, padding={padding})",
        options={"stride": (1, 2), "padding": (0, 1)},
        derive=widening("lm"),
    ),
    convolution(
        "conv_transpose2d",
        "n c h w, c o 3 3, o -> n o i j",
        "F.conv_transpose2d({0}, {1}, {2}, stride=2, padding={padding}, output_padding={extra})",
        options=_WIDER | {"stride": (2,)},
        derive=widening("hi wj"),
    ),
    convolution(
        "patches",
        "n c h w -> n 4*c p",
        "F.unfold({0}, 2, stride={stride}, padding={padding})",
        options={"stride": (1, 2), "padding": (0, 1)},
        derive=_patches,
        least=_CHANNELS,
    ),
    convolution(
        "fold",
        "n 4*c 6 -> n c 3 4",
        "F.fold({0}, output_size=(3, 4), kernel_size=2)",
        options={},
        least=_CHANNELS,
    ),
    convolution(
        "fold_back",
        "n c h w -> n c h w",
        "F.fold(F.unfold({0}, 3, padding=1), {0}.shape[-2:], 3, padding=1)",
        options={},
        least={"c": 1, "h": 1, "w": 1},
    ),
    convolution(
        "patch_embedding",
        "n c 2*h 2*w, o c 2 2 -> n p o",
        "F.conv2d({0}, {1}, stride=2).flatten(2).transpose(1, 2)",
        options={},
        guards=1,  # one patch is another graph than several
        derive=_cells,
        least={"c": 1, "o": 1, "h": 1, "w": 1},
    ),
)
