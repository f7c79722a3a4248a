"""How an implementation treats sizes that change from call to call."""

from enum import StrEnum
from typing import Literal, Self

Policy = Literal["static", "automatic", "dynamic", "mark_dynamic", "unbacked", "oblivious"]
"""How Dynamo makes sizes dynamic, as the compile model simulates it."""


class Mode(StrEnum):
    """Name a way of compiling for dynamic shapes, with what `torch.compile` and the compile model make of it.

    Each is its name, the argument `dynamic` of `torch.compile`, and the policy that its compiles follow.
    """

    dynamic: bool | None
    policy: Policy

    def __new__(cls, name: str, dynamic: bool | None, policy: Policy) -> Self:
        """Make a member whose value is its name alone."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.dynamic, member.policy = dynamic, policy
        return member

    STATIC = "static", False, "static"
    """One compile a distinct signature."""
    AUTOMATIC = "automatic", None, "automatic"
    """Static first, then dynamic for what changed."""
    DYNAMIC = "dynamic", True, "dynamic"
    """Dynamic from the first call on."""
    MARK_DYNAMIC = "mark_dynamic", None, "mark_dynamic"
    """`torch._dynamo.mark_dynamic` on the dims that vary."""
    UNBACKED = "unbacked", None, "unbacked"
    """`mark_unbacked` on the dims that vary: exactly one compile, 0 and 1 included."""
    BUCKETED = "bucketed", False, "static"
    """Inputs padded up to powers of two: one compile a bucket."""
    OBLIVIOUS = "oblivious", True, "oblivious"
    """`dynamic=True` with `backed_size_oblivious`: 0 and 1 are sizes like any other."""
    ONCE = "once", True, "dynamic"
    """`dynamic=True` for the first call, then the stance `eager_on_recompile`: what no guard accepts runs in eager."""

    @property
    def marked(self) -> bool:
        """Whether the dims that vary are marked on the inputs."""
        return self in (Mode.MARK_DYNAMIC, Mode.UNBACKED)

    @property
    def needs_dims(self) -> bool:
        """Whether it must be told which dims vary."""
        return self.marked or self is Mode.BUCKETED

    @property
    def after_break(self) -> "Mode":
        """How what comes after a graph break is compiled: marks are lost there."""
        return Mode.AUTOMATIC if self.marked else self
