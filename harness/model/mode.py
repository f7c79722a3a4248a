"""How an implementation treats sizes that change from call to call."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from eagerdiff.harness.internals.dynamo_config import SHAPES

Policy = Literal["static", "automatic", "dynamic", "mark_dynamic", "unbacked", "oblivious"]
"""How Dynamo makes sizes dynamic, as the compile model simulates it."""


class Mode(BaseModel):
    """Describe a way of compiling for dynamic shapes; one of your own is given to `Compilable.implementations`.

    Kept findings hold one of ours by its name, any other whole.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    STATIC: ClassVar["Mode"]
    """One compile a distinct signature."""
    AUTOMATIC: ClassVar["Mode"]
    """Static first, then dynamic for what changed."""
    DYNAMIC: ClassVar["Mode"]
    """Dynamic from the first call on."""
    MARK_DYNAMIC: ClassVar["Mode"]
    """`torch._dynamo.mark_dynamic` on the dims that vary."""
    UNBACKED: ClassVar["Mode"]
    """`mark_unbacked` on the dims that vary: exactly one compile, 0 and 1 included."""
    BUCKETED: ClassVar["Mode"]
    """Inputs padded up to powers of two: one compile a bucket."""
    OBLIVIOUS: ClassVar["Mode"]
    """`dynamic=True` with `backed_size_oblivious`: 0 and 1 are sizes like any other."""
    ONCE: ClassVar["Mode"]
    """`dynamic=True` for the first call, then the stance `eager_on_recompile`: what no guard accepts runs in eager."""

    name: str
    """Stands in the names of implementations."""
    dynamic: bool | None
    """The argument of `torch.compile`."""
    policy: Policy
    """What its compiles follow, and whether dims are marked (`mark_dynamic`, `unbacked`)."""
    padded: bool = False
    """Whether inputs are padded up to powers of two."""
    settings: Mapping[str, Mapping[str, bool | int | str]] = Field(default_factory=dict[str, dict[str, Any]])
    """What is set in modules of settings of torch: module → name → value."""
    stance: str = ""
    """`torch.compiler.set_stance` of every call but the first."""

    @property
    def marked(self) -> bool:
        """Whether the dims that vary are marked on the inputs."""
        return self.policy in ("mark_dynamic", "unbacked")

    @property
    def unbacked(self) -> bool:
        """Whether the sizes that vary are unbacked."""
        return self.policy == "unbacked"

    @property
    def symbolic(self) -> bool:
        """Whether it promises from the first call on that a size stays symbolic."""
        return self.policy not in ("static", "automatic") and not self.stance

    @property
    def nothing_apart(self) -> bool:
        """Whether 0 and 1 are sizes like any other."""
        return self.policy in ("unbacked", "oblivious")

    @property
    def needs_dims(self) -> bool:
        """Whether it must be told which dims vary."""
        return self.marked or self.padded

    @property
    def after_break(self) -> "Mode":
        """How what comes after a graph break is compiled: marks are lost there."""
        return Mode.AUTOMATIC if self.marked else self

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        """Write it for a person."""
        return self.name

    @model_validator(mode="wrap")
    @classmethod
    def _of_name(cls, data: Any, handler: ModelWrapValidatorHandler["Mode"]) -> "Mode":
        """Read one of ours by its name."""
        if not isinstance(data, str):
            return handler(data)
        if data not in _NAMED:
            raise ValueError(f"unknown mode {data!r}; ours are {', '.join(_NAMED)}")
        return _NAMED[data]

    @model_serializer(mode="wrap")
    def _as_name(self, handler: SerializerFunctionWrapHandler) -> str | dict[str, Any]:
        """Write one of ours as its name, any other whole."""
        return self.name if _NAMED.get(self.name) == self else cast(dict[str, Any], handler(self))


Mode.STATIC = Mode(name="static", dynamic=False, policy="static")
Mode.AUTOMATIC = Mode(name="automatic", dynamic=None, policy="automatic")
Mode.DYNAMIC = Mode(name="dynamic", dynamic=True, policy="dynamic")
Mode.MARK_DYNAMIC = Mode(name="mark_dynamic", dynamic=None, policy="mark_dynamic")
Mode.UNBACKED = Mode(name="unbacked", dynamic=None, policy="unbacked")
Mode.BUCKETED = Mode(name="bucketed", dynamic=False, policy="static", padded=True)
Mode.OBLIVIOUS = Mode(
    name="oblivious", dynamic=True, policy="oblivious", settings={SHAPES: {"backed_size_oblivious": True}}
)
Mode.ONCE = Mode(name="once", dynamic=True, policy="dynamic", stance="eager_on_recompile")

MODES = (
    *(Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED),
    *(Mode.BUCKETED, Mode.OBLIVIOUS, Mode.ONCE),
)
"""Every mode of ours, in the order of reports."""
_NAMED = {mode.name: mode for mode in MODES}
