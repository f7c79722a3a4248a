"""Checks of attributes: a stored program's may be anything."""

from typing import Any

from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type


def whole(value: Any, least: int, most: int) -> int:
    """Return an integer attribute; raise IllTyped where it is not one in [least, most]."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise IllTyped(f"{value!r} is no integer from {least} to {most}")
    return value


def wholes(values: Any, least: int, most: int) -> tuple[int, ...]:
    """Return a tuple of integers; raise IllTyped where one of them is not in [least, most]."""
    if not isinstance(values, tuple):
        raise IllTyped(f"{values!r} is no tuple")
    return tuple(whole(value, least, most) for value in values)


def real_number(value: Any) -> float:
    """Return a number of moderate size; raise IllTyped for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -100 <= value <= 100:
        raise IllTyped(f"{value!r} is no number from -100 to 100")
    return value


def number_of(value: Type) -> Size:
    """Return what a Python integer is, 0 or more; raise IllTyped for anything else."""
    if not value.plain or value.number is None or value.number.lowest is None or value.number.lowest < 0:
        raise IllTyped("no Python integer that is known to be 0 or more")
    return value.number


def divided(size: Size, divisor: int) -> Size:
    """Return a size divided by a constant; raise IllTyped unless it is a multiple whatever the inputs' sizes."""
    if any(coefficient % divisor for _, coefficient in size.terms):
        raise IllTyped(f"{size} is no multiple of {divisor}")
    return Size(tuple((monomial, coefficient // divisor) for monomial, coefficient in size.terms))


def is_multiple(size: Size, divisor: int) -> bool:
    """Whether a size is a multiple of a constant whatever the inputs' sizes."""
    return not any(coefficient % divisor for _, coefficient in size.terms)
