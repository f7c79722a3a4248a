"""Operations told by a pattern: `b i j, b j k -> b i k` says which shapes the operands have, and the result."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, shape_text
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import KINDS, Kind, Type

FLOATS = ("float32", "bfloat16", "float64", "float16")
Options = Mapping[str, Sequence[Any]]
"""Attributes by name, each with the values that it may have; the first is the simplest."""
_NEW: tuple[int | str, ...] = ("a", 4, "b", 1, 3, "c", 2)
_TERM = re.compile(r"([^:<]*)(?::(\w+))?(?:<(\w))?")


@dataclass(frozen=True)
class Term:
    """Hold one operand of a pattern: `n c`, `n:int64<c`, `... 2*d`, `3 k`."""

    tokens: tuple[str, ...]
    dtype: str
    """Empty where it is the first operand's."""
    below: str
    """For indices, the letter of the size that they index; empty where there is none."""

    @property
    def free(self) -> bool:
        """Whether any tensor of that many dims fits."""
        letters = [token for token in self.tokens if token != "..."]
        return not self.dtype and len(set(letters)) == len(letters) and all(map(str.isalpha, letters))

    @property
    def ndim(self) -> tuple[int, int]:
        """The least and the greatest number of dims."""
        count = len(self.tokens)
        return (count - 1, 4) if "..." in self.tokens else (count, count)


def terms(text: str) -> tuple[Term, ...]:
    """Read one side of a pattern; raise ValueError where a term is malformed."""
    found: list[Term] = []
    for part in text.split(","):
        match = _TERM.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"not a term: {part!r}")
        found.append(Term(tuple(match[1].split()), match[2] or "", match[3] or ""))
    return tuple(found)


@dataclass
class Bound:
    """Hold what the letters of a pattern stand for."""

    sizes: dict[str, Size] = field(default_factory=dict[str, Size])
    lead: tuple[Size, ...] | None = None
    """What `...` stands for, once it is known."""

    def bind(self, term: Term, value: Type) -> None:
        """Take the sizes of an operand; raise IllTyped where they contradict the pattern or earlier operands."""
        low, high = term.ndim
        if value.plain or not low <= value.ndim <= high:
            raise IllTyped(f"{shape_text(value)} is not {' '.join(term.tokens)}")
        shape = value.shape
        if "..." in term.tokens:
            rest = value.ndim - low
            lead, shape = shape[:rest], shape[rest:]
            if self.lead not in (None, lead):
                raise IllTyped(f"{shape_text(value)} begins otherwise than earlier operands")
            self.lead = lead
        for token, size in zip((token for token in term.tokens if token != "..."), shape, strict=True):
            self._bind(token, size)

    def _bind(self, token: str, size: Size) -> None:
        factor, _, letter = token.rpartition("*")
        if letter.isalpha() and letter not in self.sizes:
            self.sizes[letter] = divided(size, int(factor or 1))
        if self.size(token) != size:
            raise IllTyped(f"{token} is both {self.size(token)} and {size}")

    def size(self, token: str) -> Size:
        """Return the size that `c`, `2*c`, `3` or `i*j` stands for."""
        total = Size.of(1)
        for factor in token.split("*"):
            total = total * (int(factor) if factor.isdigit() else self.sizes[factor])
        return total

    def shape(self, term: Term) -> tuple[Size, ...]:
        """Return the shape that a term stands for."""
        sizes: list[Size] = []
        for token in term.tokens:
            sizes += (self.lead or ()) if token == "..." else [self.size(token)]
        return tuple(sizes)

    def draw(self, choices: Choices, term: Term) -> None:
        """Choose what the letters stand for that are still open."""
        for token in term.tokens:
            letter = token.rpartition("*")[2]
            if token == "..." and self.lead is None:
                self.lead = tuple(Size.of(choices.pick(_NEW)) for _ in range(choices.integer(0, 2)))
            elif letter.isalpha() and letter not in self.sizes:
                self.sizes[letter] = Size.of(choices.pick(_NEW))


Derive = Callable[[Context, Attrs, Bound], None]
"""Adds the letters that only the result has, and asks for what eager needs; raises IllTyped."""


def nothing(context: Context, attrs: Attrs, bound: Bound) -> None:
    """Add no letters."""


def patterned(
    name: str,
    family: str,
    pattern: str,
    source: str,
    *,
    dtypes: tuple[str, ...] = FLOATS,
    least: Mapping[str, int] | None = None,
    options: Options | None = None,
    derive: Derive = nothing,
    **more: Any,
) -> Operation:
    """Describe an operation whose operands have the first one's dtype; `least` gives least sizes by letter."""
    left, _, right = pattern.partition("->")
    given, results = terms(left), terms(right)

    def infer(context: Context, attrs: Attrs, *types: Type) -> tuple[Type, ...]:
        bound = _checked(context, given, dtypes, types)
        for letter, size in (least or {}).items():
            context.need(bound.sizes[letter], size)
        check_options(attrs, options or {})
        derive(context, attrs, bound)
        return tuple(Type(term.dtype or types[0].dtype, bound.shape(term)) for term in results)

    def draw(choices: Choices, *types: Type) -> Attrs:
        return {key: choices.pick(values) for key, values in (options or {}).items()}

    return Operation(
        name=name,
        family=family,
        operands=tuple(_operand(given, position, dtypes) for position in range(len(given))),
        infer=infer,
        source=source,
        results=len(results),
        attrs=draw,
        **more,
    )


def check_options(attrs: Attrs, options: Options) -> None:
    """Raise IllTyped unless the attributes are the options' and each has a value that is listed."""
    if attrs.keys() != options.keys():
        raise IllTyped(f"attributes {', '.join(attrs)} are not {', '.join(options)}")
    for key, values in options.items():
        if not any(attrs[key] == value and type(attrs[key]) is type(value) for value in values):
            raise IllTyped(f"{key} = {attrs[key]!r} is not one of {values}")


def divided(size: Size, factor: int) -> Size:
    """Return a formula divided by an integer; raise IllTyped where it is not divisible whatever its symbols are."""
    if any(coefficient % factor for _, coefficient in size.terms):
        raise IllTyped(f"{size} is not {factor} times a size")
    return Size(tuple((monomial, coefficient // factor) for monomial, coefficient in size.terms))


def _checked(context: Context, given: Sequence[Term], dtypes: tuple[str, ...], types: Sequence[Type]) -> Bound:
    bound = Bound()
    for term, value in zip(given, types, strict=True):
        bound.bind(term, value)
        if value.dtype != (term.dtype or types[0].dtype) or types[0].dtype not in dtypes:
            raise IllTyped(f"{value.dtype} is not {term.dtype or ' or '.join(dtypes)}")
        if term.below:
            if value.below != bound.sizes[term.below]:
                raise IllTyped(f"indices below {value.below}, not {bound.sizes[term.below]}")
            context.need(bound.sizes[term.below], 1)
    return bound


def _operand(given: tuple[Term, ...], position: int, dtypes: tuple[str, ...]) -> Operand:
    term = given[position]
    if not position and term.free:
        kinds: tuple[Kind, ...] = tuple({KINDS[dtype]: None for dtype in dtypes})
        return Operand(kinds=kinds, ndim=term.ndim, where=lambda value: value.dtype in dtypes)

    def matching(choices: Choices, *earlier: Type) -> Type:
        bound = Bound()
        for known, value in zip(given, earlier, strict=False):
            bound.bind(known, value)
        bound.draw(choices, term)
        dtype = term.dtype or (earlier[0].dtype if earlier else choices.pick(dtypes))
        return Type(dtype, bound.shape(term), bound.sizes[term.below] if term.below else None)

    return Operand(matching=matching)
