"""What is drawn of a call that stays as it is from one to the next."""

from dataclasses import dataclass

from eagerdiff.strategies.torch_api.call import Call


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Hold what of a case does not change from call to call, and the first values of its numbers."""

    entry: str
    call: Call
    dtype: str
    example: dict[str, int]
    floors: dict[str, int]
    random: bool = False
    gradients: bool = False
    numbers: tuple[float, ...] = ()
    single: bool = False
    writes: bool = False
    """Whether it writes into an argument, or where it is told to: there is no gradient then."""
