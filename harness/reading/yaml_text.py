"""YAML of someone else's, within bounds: plain data, with no aliases, merge keys or types.

https://yaml.org/spec/1.1/ lets 589 bytes of aliases and merge keys stand for gigabytes.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import yaml

from eagerdiff.harness.reading.bounds import Bounds, Unreadable, Watch, check_value, in_words

if TYPE_CHECKING:
    from yaml import SafeLoader as Loader
else:
    Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it: ten times faster

_TAG = "tag:yaml.org,2002:"
_TYPES = ("null", "bool", "int", "float", "str")
_AS_TEXT = ("timestamp", "value")
"""What YAML reads as something else, and a person writes as text: a date, a lone `=`."""
_LONGEST_NUMBER = 80
"""Characters: a number in base 60 takes time that grows with the square of its length."""


class _Data(Loader):
    """Read null, truth values, numbers and texts as PyYAML does, and of scalars nothing else."""

    def construct_number(self, node: Any) -> Any:
        """Build a whole number or a float that is not endless."""
        if len(node.value) > _LONGEST_NUMBER:
            raise _wrong(f"holds a number of more than {_LONGEST_NUMBER} characters", node)
        whole = node.tag == f"{_TAG}int"
        return self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)


def _constructors() -> dict[Any, Any]:
    usual: dict[Any, Any] = {name: yaml.SafeLoader.yaml_constructors[f"{_TAG}{name}"] for name in _TYPES}
    usual |= dict.fromkeys(("int", "float"), _Data.construct_number) | dict.fromkeys(_AS_TEXT, usual["str"])
    return {f"{_TAG}{name}": build for name, build in usual.items()}


_CONSTRUCTORS = _constructors()


def parse_yaml(text: str, bounds: Bounds) -> Any:
    """Return what a YAML text holds; raise Unreadable for what is malformed, no plain data or out of bounds."""
    try:
        if len(text) > bounds.size or len(text.encode()) > bounds.size:
            raise Unreadable(f"is larger than {in_words(bounds.size)}")
        return _Builder(text, bounds).build()
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise Unreadable(f"is not YAML: {error.problem or error.context}{line}") from error
    except yaml.YAMLError as error:
        raise Unreadable(f"is not YAML: {error}") from error
    except Unreadable:
        raise
    except ValueError as error:  # half a character, or a number that Python does not read
        raise Unreadable(f"is not YAML: {error}") from error


class _Builder:
    """Build plain data along a text's events, in one walk. PyYAML builds nodes first: three times the work."""

    def __init__(self, text: str, bounds: Bounds) -> None:
        self._loader: Any = _Data(text)
        self._bounds = bounds
        self._watch, self._aliases = Watch(bounds), _Aliases(bounds)
        self._open: list[_Open] = []
        self._read: list[Any] = []
        self._plain: dict[str, Any] = {}
        """What texts without quotes mean: most stand in many places."""

    def build(self) -> Any:
        """Return what the text holds; None where that is nothing."""
        while self._loader.check_event():
            event: Any = self._loader.get_event()
            if isinstance(event, yaml.CollectionEndEvent):
                ended = self._open.pop()
                self._add(ended.built, ended.start)
            elif isinstance(event, yaml.NodeEvent):
                self._take(event)
        return self._read[0] if self._read else None

    def _take(self, event: Any) -> None:
        self._watch.count(len(self._open))
        _check_type(event)
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event)
            self._aliases.note(event, value)
            self._add(value, event)
        elif isinstance(event, yaml.AliasEvent):
            self._add(self._aliases.value(event), event)
        else:
            self._aliases.note(event, None)
            if self._open and self._open[-1].wants_name:
                raise _wrong("holds a list or a mapping as a name", event)
            self._open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], event))

    def _add(self, value: Any, event: Any) -> None:
        if self._open:
            self._open[-1].add(value, event)
        elif self._read:
            raise _wrong("is not YAML: there is a second document", event)
        else:
            self._read.append(value)

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not event.implicit[0]:
            check_value(text, self._bounds)
            return text
        if text not in self._plain:
            tag = self._loader.resolve(yaml.ScalarNode, text, event.implicit)
            node = yaml.ScalarNode(tag, text, event.start_mark, event.end_mark)
            value = _CONSTRUCTORS[tag](self._loader, node)
            check_value(value, self._bounds)
            self._plain[text] = value
        return self._plain[text]


@dataclass
class _Open:
    """Hold a list or a mapping that has begun."""

    built: Any
    start: Any
    """The event with which it began."""
    _name: Any = None
    _named: bool = False

    @property
    def wants_name(self) -> bool:
        return isinstance(self.built, dict) and not self._named

    def add(self, value: Any, event: Any) -> None:
        if isinstance(self.built, list):
            cast("list[Any]", self.built).append(value)
        elif self._named:
            self.built[self._name], self._named = value, False
        elif value in self.built:
            raise _wrong(f"holds {str(value)[:60]!r} twice in one mapping", event)
        else:
            self._name, self._named = value, True


@dataclass
class _Aliases:
    """Refuse anchors and aliases, or let them stand for texts as long as these add up to no more than a file may."""

    bounds: Bounds
    known: dict[str, tuple[Any, int]] = field(default_factory=dict[str, tuple[Any, int]])
    """Anchor → value and length."""
    written: int = 0

    def note(self, event: Any, value: Any) -> None:
        """Take in a value that may have an anchor."""
        if event.anchor is not None:
            self._check(event)
            if event.anchor in self.known:
                raise _wrong(f"is not YAML: there are two anchors {event.anchor[:60]!r}", event)
            self.known[event.anchor] = value, len(event.value)
            self._count(len(event.value))

    def value(self, event: Any) -> Any:
        """Return what an alias stands for."""
        self._check(event)
        if event.anchor not in self.known:
            raise _wrong(f"is not YAML: there is no anchor {event.anchor[:60]!r}", event)
        value, length = self.known[event.anchor]
        self._count(length)
        return value

    def _check(self, event: Any) -> None:
        if not self.bounds.aliases or isinstance(event, yaml.CollectionStartEvent):
            raise _wrong("holds an alias or an anchor (& or *): write the value out", event)

    def _count(self, length: int) -> None:
        self.written += length
        if self.written > self.bounds.size:
            raise Unreadable(f"is larger than {in_words(self.bounds.size)}, its aliases written out")


def _check_type(event: Any) -> None:
    if getattr(event, "tag", None) is not None:
        raise _wrong(f"names a type, {event.tag[:60]}: plain data has none", event)
    if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]:
        raise _wrong("holds a merge key (<<): write the fields out", event)


def _wrong(what: str, place: Any) -> Unreadable:
    return Unreadable(f"{what}, line {place.start_mark.line + 1}")
