"""What a call may stand within: transforms of functions, branches, recomputation and modes, each around any call."""

from collections.abc import Sequence
from dataclasses import dataclass

BATCH = "batch"
"""The symbol of the dim over which `vmap` maps."""


@dataclass(frozen=True)
class Surrounding:
    """Hold the body of `program`, where `inner` is the call: lines with `{all}`, `{tensors}` and `{floats}`."""

    body: str
    differentiates: bool = False
    """Whether it takes derivatives, by the floating-point tensors."""
    inference: bool = False
    """Whether nothing in it can be differentiated."""
    mapped: bool = False
    """Whether it maps over the first dim of the tensors."""


SURROUNDINGS = {
    "checkpoint": Surrounding("return torch.utils.checkpoint.checkpoint(inner, {all}, use_reentrant=False)"),
    "cond": Surrounding(
        "def taken({tensors}):\n"
        "    return tuple(part.clone() for part in inner({all}))\n"
        "\n"
        "def left({tensors}):\n"
        "    return tuple(torch.zeros_like(part) for part in inner({all}))\n"
        "\n"
        "return torch.cond(x0.sum() > 0, taken, left, ({tensors},))"
    ),
    "vmap": Surrounding("return torch.vmap(inner, in_dims={dims})({all})", mapped=True),
    "jvp": Surrounding(
        "outputs, tangents = torch.func.jvp(\n"
        "    lambda {floats}: inner({all}), ({floats},), tuple(map(torch.ones_like, ({floats},)))\n"
        ")\n"
        "return *outputs, *tangents",
        differentiates=True,
    ),
    "grad": Surrounding(
        "def loss({floats}):\n"
        "    return sum(part.sum() for part in inner({all}) if part.is_floating_point())\n"
        "\n"
        "return torch.func.grad(loss, argnums={places})({floats})",
        differentiates=True,
    ),
    "autocast": Surrounding("with torch.autocast(x0.device.type, dtype=torch.bfloat16):\n    return inner({all})"),
    "inference_mode": Surrounding("with torch.inference_mode():\n    return inner({all})", inference=True),
}
"""By name; each gives a tuple of tensors, as `inner` does."""


def fits(name: str, count: int, floats: int) -> bool:
    """Whether a surrounding, or none, may stand around a call of `count` tensors, of which `floats` follow the case."""
    return not name or (count > 0 and (floats > 0 or not SURROUNDINGS[name].differentiates))


def surround(name: str, arguments: Sequence[str], floats: Sequence[str], mapped: Sequence[str]) -> list[str]:
    """Return the lines of a function's body that calls `inner` within a surrounding.

    `floats`: the arguments that are differentiated; `mapped`: those whose first dim `vmap` maps over.
    """
    dims = ", ".join("0" if one in mapped else "None" for one in arguments)
    text = SURROUNDINGS[name].body.format(
        all=", ".join(arguments),
        tensors=", ".join(one for one in arguments if one.startswith("x")),
        floats=", ".join(floats),
        places=tuple(range(len(floats))),
        dims=f"({dims},)",
    )
    return text.splitlines()
