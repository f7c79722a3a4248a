"""What Triton would compile for a launch on the interpreter: its own specialisation is asked, nothing is compiled."""

from collections.abc import Callable

from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_interpreter import InterpretedFunction
from eagerdiff.harness.internals.triton_jit import JITFunction

Key = tuple[object, object]
"""How one argument is specialised: its type, and `D` where 16 divides it; or `constexpr`, and its value."""

Binder = Callable[..., tuple[dict[str, Value], list[Key], dict[str, Value]]]
"""Take a launch's arguments; return them by name, their keys, and the compiler's options."""


class Specialiser:
    """Keep, for each interpreted function, the binder that the real JIT would have made for it."""

    def __init__(self) -> None:
        self._binders: dict[object, Binder] = {}

    def describe(
        self, function: "InterpretedFunction[Value]", args: tuple[Value, ...], kwargs: dict[str, Value]
    ) -> str:
        """Return one line a specialisation: `x_ptr: *fp32 /16, n: i32, BLOCK=64, num_warps=4`.

        Divisibility by 16, a value of 1 and a pointer's alignment are the JIT's own, for the driver's target.
        """
        binder = self._binders.get(function.fn)
        if binder is None:
            binder = self._binders[function.fn] = _binder(function)
        bound, specialization, options = binder(*args, **kwargs)
        parts = [_part(name, value, key) for (name, value), key in zip(bound.items(), specialization, strict=True)]
        return ", ".join([*parts, f"num_warps={options.get('num_warps', 4)}"])


def _binder(function: "InterpretedFunction[Value]") -> Binder:
    twin = JITFunction(function.fn, **_meant_for_the_jit(function.kwargs))
    return twin.create_binder()[-1]


def _meant_for_the_jit(options: dict[str, Value]) -> dict[str, Value]:
    names = ("do_not_specialize", "do_not_specialize_on_alignment", "noinline", "repr", "launch_metadata")
    return {name: options[name] for name in names if options.get(name) is not None}


def _part(name: str, value: object, key: Key) -> str:
    if key[0] == "constexpr":
        return f"{name}={getattr(value, 'value', value)}"
    return f"{name}: {key[0]}" + (" /16" if key[1] == "D" else "")
