"""Pooling over sliding windows, and into a given number of cells."""

from typing import Any

from eagerdiff.strategies.programs.operation import Operation
from eagerdiff.strategies.programs.pattern import FLOATS, patterned
from eagerdiff.strategies.programs.window import sliding

FAMILY = "pooling"
_LINE, _PLANE, _VOLUME = (
    ("n c l", "n c m", "lm"),
    ("n c h w", "n c i j", "hi wj"),
    ("n c d h w", "n c k i j", "dk hi wj"),
)
_MAX = {"k": (2, 3, 1), "stride": (2, 1, 3), "padding": (0, 1), "dilation": (1, 2), "ceil": (False, True)}
_AVERAGE = {"k": (2, 3, 1), "stride": (2, 1, 3), "padding": (0, 1), "ceil": (False, True), "counted": (True, False)}
_NORM = {"k": (2, 3, 1), "stride": (2, 1), "ceil": (False, True)}


def pool(name: str, form: tuple[str, str, str], arguments: str, options: dict[str, Any], **more: Any) -> Operation:
    """Describe pooling over windows of the input's last dims."""
    given, result, pairs = form
    described: dict[str, Any] = {"dtypes": FLOATS, "least": {"c": 1}, **more}
    return patterned(
        name,
        FAMILY,
        f"{given} -> {result}",
        f"F.{name}({{0}}, {arguments})",
        options=options,
        derive=sliding(pairs, "k"),
        **described,
    )


def adaptive(name: str, pattern: str, size: str, **more: Any) -> Operation:
    """Describe pooling into a given number of cells."""
    call = name.removesuffix("_like").removesuffix("_one")
    described: dict[str, Any] = {"dtypes": FLOATS, **more}
    return patterned(name, FAMILY, pattern, f"F.{call}({{0}}, {size})", **described)


_PLANE_LEAST = {"c": 1, "h": 1, "w": 1}
_MAX_ARGUMENTS = "{k}, stride={stride}, padding={padding}, dilation={dilation}, ceil_mode={ceil}"
_AVERAGE_ARGUMENTS = "{k}, stride={stride}, padding={padding}, ceil_mode={ceil}, count_include_pad={counted}"
_NORM_ARGUMENTS = "2.0, {k}, stride={stride}, ceil_mode={ceil}"

OPERATIONS = (
    pool("max_pool1d", _LINE, _MAX_ARGUMENTS, _MAX),
    pool("max_pool2d", _PLANE, _MAX_ARGUMENTS, _MAX),
    pool("avg_pool1d", _LINE, _AVERAGE_ARGUMENTS, _AVERAGE),
    pool("avg_pool2d", _PLANE, _AVERAGE_ARGUMENTS, _AVERAGE),
    pool("lp_pool1d", _LINE, _NORM_ARGUMENTS, _NORM),
    pool("lp_pool2d", _PLANE, _NORM_ARGUMENTS, _NORM),
    adaptive("adaptive_avg_pool1d", "n c l -> n c 3", "3", least={"c": 1, "l": 1}, decomposed_guards=1),
    adaptive("adaptive_avg_pool2d", "n c h w -> n c 2 w", "(2, None)", least=_PLANE_LEAST, decomposed_guards=1),
    adaptive("adaptive_avg_pool2d_one", "n c h w -> n c 1 1", "1", least=_PLANE_LEAST),
    adaptive("adaptive_avg_pool1d_like", "n c l, n c m -> n c m", "{1}.shape[-1]", least={"c": 1, "l": 1, "m": 1}),
    adaptive("adaptive_max_pool1d", "n c l -> n c 2", "2", least={"c": 1, "l": 1}, decomposed_guards=1),
    adaptive("adaptive_max_pool2d", "n c h w -> n c 3 2", "(3, 2)", least=_PLANE_LEAST, decomposed_guards=2),
    patterned("global_average", FAMILY, "n c h w -> n c", "{0}.mean((-2, -1))"),
    patterned(
        "masked_average",
        FAMILY,
        "b l d, b l:bool -> b d",
        "({0} * {1}[..., None]).sum(1) / {1}.sum(1, keepdim=True).clamp(min=1)",
    ),
)
