"""How an implementation treats sizes that change from call to call."""

from enum import StrEnum


class Mode(StrEnum):
    """Name a way of compiling for dynamic shapes; the compile model follows from it."""

    STATIC = "static"
    """`dynamic=False`: one compile a distinct signature."""
    AUTOMATIC = "automatic"
    """`dynamic=None`: static first, then dynamic for what changed."""
    DYNAMIC = "dynamic"
    """`dynamic=True`."""
    MARK_DYNAMIC = "mark_dynamic"
    """`torch._dynamo.mark_dynamic` on the dims that vary."""
    UNBACKED = "unbacked"
    """`mark_unbacked` on the dims that vary: exactly one compile, 0 and 1 included."""
    BUCKETED = "bucketed"
    """Inputs padded up to powers of two: one compile a bucket."""
    OBLIVIOUS = "oblivious"
    """`dynamic=True` with `backed_size_oblivious`: 0 and 1 are sizes like any other."""
    ONCE = "once"
    """`dynamic=True` for the first call, then the stance `eager_on_recompile`: what no guard accepts runs in eager."""

    @property
    def marked(self) -> bool:
        """Whether the dims that vary are marked on the inputs."""
        return self in (Mode.MARK_DYNAMIC, Mode.UNBACKED)

    @property
    def after_break(self) -> "Mode":
        """How what comes after a graph break is compiled: marks are lost there."""
        return Mode.AUTOMATIC if self.marked else self
