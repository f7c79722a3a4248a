"""YAML of someone else's, within bounds: plain data, with no aliases, merge keys or types.

https://yaml.org/spec/1.1/ lets 589 bytes of aliases and merge keys stand for gigabytes.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import yaml

from eagerdiff.harness.reading.bounds import Bounds, Unreadable, Watch, checked, in_words

if TYPE_CHECKING:
    from yaml import SafeLoader as Loader
else:
    Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it: ten times faster

_TAG = "tag:yaml.org,2002:"
_TYPES = ("null", "bool", "int", "float", "str", "seq", "map")
_AS_TEXT = ("timestamp", "value")
"""What YAML reads as something else, and a person writes as text: a date, a lone `=`."""
_LONGEST_NUMBER = 80
"""Characters: a number in base 60 takes time that grows with the square of its length."""


class _Data(Loader):
    """Build null, truth values, numbers, texts, lists and mappings, and nothing else."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Build a mapping; a name that stands in it twice is an error, and so is one that is a list."""
        found: dict[Any, Any] = {}
        for name_node, value_node in node.value:
            name: Any = self.construct_object(name_node, deep=True)
            if not isinstance(name, str | int | float | None):
                raise _wrong("holds a list or a mapping as a name", name_node)
            if name in found:
                raise _wrong(f"holds {str(name)[:60]!r} twice in one mapping", name_node)
            found[name] = self.construct_object(value_node, deep=deep)
        return found

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


_Data.yaml_constructors = _constructors()


def parse_yaml(text: str, bounds: Bounds) -> Any:
    """Return what a YAML text holds; raise Unreadable for what is malformed, no plain data or out of bounds."""
    try:
        if len(text) > bounds.size or len(text.encode()) > bounds.size:
            raise Unreadable(f"is larger than {in_words(bounds.size)}")
        _scan(text, bounds)
        data: Any = yaml.load(text, Loader=_Data)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise Unreadable(f"is not YAML: {error.problem or error.context}{line}") from error
    except yaml.YAMLError as error:
        raise Unreadable(f"is not YAML: {error}") from error
    except Unreadable:
        raise
    except ValueError as error:  # half a character, or a number that Python does not read
        raise Unreadable(f"is not YAML: {error}") from error
    return checked(data, bounds)


def _scan(text: str, bounds: Bounds) -> None:
    """Look at a text piece by piece, before anything is built of it."""
    watch, aliases, depth = Watch(bounds), _Aliases(bounds), 0
    for event in cast("list[Any]", yaml.parse(text, Loader=_Data)):
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.NodeEvent):
            watch.count(depth)
            aliases.check(event)
            _check_type(event)
            depth += isinstance(event, yaml.CollectionStartEvent)


@dataclass
class _Aliases:
    """Refuse anchors and aliases, or let them stand for texts as long as these add up to no more than a file may."""

    bounds: Bounds
    texts: dict[str, int] = field(default_factory=dict[str, int])
    """Anchor → length."""
    written: int = 0

    def check(self, event: Any) -> None:
        if event.anchor is None:
            return
        if not self.bounds.aliases or isinstance(event, yaml.CollectionStartEvent):
            raise _wrong("holds an alias or an anchor (& or *): write the value out", event)
        if isinstance(event, yaml.ScalarEvent):
            self.texts[event.anchor] = len(event.value)
        self.written += self.texts.get(event.anchor, 0)
        if self.written > self.bounds.size:
            raise Unreadable(f"is larger than {in_words(self.bounds.size)}, its aliases written out")


def _check_type(event: Any) -> None:
    if getattr(event, "tag", None) is not None:
        raise _wrong(f"names a type, {event.tag[:60]}: plain data has none", event)
    if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]:
        raise _wrong("holds a merge key (<<): write the fields out", event)


def _wrong(what: str, place: Any) -> Unreadable:
    return Unreadable(f"{what}, line {place.start_mark.line + 1}")
