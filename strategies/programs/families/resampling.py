"""Resampling: interpolation by a factor, to a size, to another tensor's size; sampling on a grid."""

from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Context, Operation
from eagerdiff.strategies.programs.pattern import FLOATS, Bound, Derive, patterned

FAMILY = "resampling"


def resample(name: str, pattern: str, arguments: str, letters: str, **more: Any) -> Operation:
    """Describe an interpolation; `letters` name the sizes that must not be 0."""
    least = {"c": 1, **dict.fromkeys(letters, 1)}
    described: dict[str, Any] = {"dtypes": FLOATS, "least": least, **more}
    return patterned(f"interpolate_{name}", FAMILY, pattern, f"F.interpolate({{0}}, {arguments})", **described)


def scaled(pairs: str, numerator: int, denominator: int) -> Derive:
    """Derive the result's letters: sizes times a fraction, rounded down."""

    def derive(context: Context, attrs: Attrs, bound: Bound) -> None:
        for length, count in pairs.split():
            bound.sizes[count] = bound.sizes[length] * numerator // denominator
            context.need(bound.sizes[length] * numerator, denominator)

    return derive


_MODES = {"mode": ("nearest", "nearest-exact", "area", "bilinear", "bicubic")}
_SMOOTH = {"mode": ("bilinear", "bicubic"), "corners": (False, True)}

OPERATIONS = (
    resample(
        "twice_1d",
        "n c l -> n c 2*l",
        "scale_factor=2, mode={mode}",
        "l",
        options={"mode": ("nearest", "linear", "nearest-exact")},
    ),
    resample("twice", "n c h w -> n c 2*h 2*w", "scale_factor=2, mode={mode}", "hw", options=_MODES),
    resample(
        "twice_aligned",
        "n c h w -> n c 2*h 2*w",
        "scale_factor=2.0, mode={mode}, align_corners={corners}",
        "hw",
        options=_SMOOTH,
    ),
    resample(
        "half",
        "n c h w -> n c i j",
        "scale_factor=0.5, mode={mode}",
        "hw",
        options=_MODES,
        derive=scaled("hi wj", 1, 2),
    ),
    resample(
        "more",
        "n c l -> n c m",
        "scale_factor=1.5, mode={mode}",
        "l",
        options={"mode": ("nearest", "linear")},
        derive=scaled("lm", 3, 2),
    ),
    resample(
        "rescaled",
        "n c h w -> n c i j",
        "scale_factor=1.5, mode={mode}, recompute_scale_factor=True",
        "hw",
        options={"mode": ("nearest", "bilinear")},
        derive=scaled("hi wj", 3, 2),
    ),
    resample("to_size", "n c h w -> n c 5 3", "size=(5, 3), mode={mode}", "hw", options=_MODES),
    resample(
        "to_size_aligned",
        "n c h w -> n c 3 4",
        "size=(3, 4), mode={mode}, align_corners={corners}",
        "hw",
        options=_SMOOTH,
    ),
    resample(
        "antialiased",
        "n c h w -> n c 3 4",
        'size=(3, 4), mode="bilinear", antialias=True',
        "hw",
        dtypes=("float32", "float64"),
    ),
    resample("like", "n c h w, n c i j -> n c i j", "size={1}.shape[-2:], mode={mode}", "hwij", options=_MODES),
    resample(
        "like_1d",
        "n c l, n c m -> n c m",
        "size={1}.shape[2], mode={mode}",
        "lm",
        options={"mode": ("nearest", "linear")},
    ),
    patterned(
        "grid_sample",
        FAMILY,
        "n c h w, n i j 2 -> n c i j",
        "F.grid_sample({0}, {1}.tanh().nan_to_num() * 1.25, padding_mode={padding}, align_corners={corners})",
        dtypes=("float32", "float64"),
        least={"c": 1, "h": 1, "w": 1},
        options={"padding": ("zeros", "border", "reflection"), "corners": (False, True)},
    ),
    patterned(
        "affine_grid",
        FAMILY,
        "n 2 3, n c h w -> n h w 2",
        "F.affine_grid({0}, {1}.shape, align_corners={corners})",
        dtypes=("float32", "float64"),
        least={"n": 1, "c": 1, "h": 1, "w": 1},
        options={"corners": (False, True)},
    ),
)
