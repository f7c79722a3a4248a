"""Reading what a stranger wrote: within bounds of size, depth, number and time, and in one line where it is not."""

import json
import os
import time
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.reading import (
    CASE,
    CORPUS,
    FAULTS,
    LINE,
    RECORD,
    Bounds,
    Unreadable,
    fitted,
    parse_json,
    parse_yaml,
    read_bytes,
    read_text,
)

SMALL = Bounds(size=1000, nodes=50, depth=5)
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join(f'*a{n}' for _ in range(9))}]\n" for n in range(12)
)
"""Under a kilobyte that stands for a billion values."""
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{n + 1}: &a{n + 1} {{<<: [{', '.join([f'*a{n}'] * 9)}]}}\n" for n in range(12))

NO_YAML: dict[str, tuple[str, str]] = {
    "lists without end": ("[" * 100_000, "deeper than 64"),
    "mappings without end": ("{a: " * 100_000, "deeper than 64"),
    "blocks without end": ("- " * 100_000, "deeper than 64"),
    "aliases of lists": (BOMB, "alias"),
    "aliases of mappings": (MERGES, "alias"),
    "alias of itself": ("&a [*a]", "alias"),
    "alias": ("a: &a 1\nb: *a", "alias"),
    "merge key": ("{<<: {a: 1}}", "merge key"),
    "large": ("a" * (1 << 20) + "a", "larger than 1 MiB"),
    "large in bytes": ("ä" * (1 << 20), "larger than 1 MiB"),
    "many": ("[" + "1, " * 110_000 + "]", "more than 100,000 values"),
    "number in base 60": (":".join(["59"] * 100_000), "80 characters"),
    "long number": ("9" * 5000, "80 characters"),
    "python": ("!!python/object/apply:os.getcwd []", "names a type"),
    "type of another": ("!thing {a: 1}", "names a type"),
    "set": ("!!set {a, b}", "names a type"),
    "wrong type": ("!!bool maybe", "names a type"),
    "twice": ("a: 1\nb: 2\na: 3", "twice in one mapping, line 3"),
    "list as a name": ("? [1]\n: 1", "as a name"),
    "zero byte": ("a\x00b", "not YAML"),
    "half a character": ("a: \ud800", "not YAML"),
    "half a character, escaped": ('a: "\\ud800"', "not YAML"),
    "two documents": ("--- 1\n--- 2", "not YAML"),
    "not closed": ("[1, 2", "not YAML"),
    "tab": ("a:\n\t- b", "not YAML"),
}
NO_JSON: dict[str, tuple[bytes, str]] = {
    "lists without end": (b"[" * 100_000, "deeper than 64"),
    "deep": (b"[" * 70 + b"]" * 70, "deeper than 64"),
    "many": (b"[" + b"[]," * 1_000_000 + b"[]]", "more than 1,000,000 values"),
    "large": (b'"' + b"a" * (16 << 20) + b'"', "larger than 16 MiB"),
    "twice": (b'{"a": 1, "b": {"c": 1, "c": 1}}', "'c' twice"),
    "none": (b"[NaN]", "not finite"),
    "infinite": (b"[-Infinity]", "not finite"),
    "infinite by its exponent": (b"[1e999]", "not finite"),
    "long number": (b"9" * 5000, "not JSON"),
    "long enough number": (b"9" * 81, "80 digits"),
    "half a character": (b'["\\udfff"]', "half a character"),
    "half a character as a name": (b'{"\\ud800": 1}', "half a character"),
    "other encoding": ('"é"'.encode("latin-1"), "UTF-8"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "UTF-8"),
    "byte order": (b"\xef\xbb\xbf{}", "not JSON"),
    "empty": (b"", "not JSON"),
    "two": (b"{} {}", "not JSON"),
    "quotes without end": (b'"\\' * 2_000_000 + b"," * 1_100_000, "not JSON"),
}


@pytest.mark.parametrize("name", NO_YAML)
def test_yaml_that_is_no_plain_data_is_one_line_at_once(name: str) -> None:
    text, says = NO_YAML[name]
    began = time.thread_time()
    with pytest.raises(Unreadable, match=says):
        parse_yaml(text, CASE)
    assert time.thread_time() - began < 5


@pytest.mark.parametrize("name", NO_JSON)
def test_json_that_is_no_plain_data_is_one_line_at_once(name: str) -> None:
    text, says = NO_JSON[name]
    began = time.thread_time()
    with pytest.raises(Unreadable, match=says):
        parse_json(text, RECORD)
    assert time.thread_time() - began < 5


def test_what_yaml_reads_as_something_else_stays_a_text() -> None:
    assert parse_yaml("[2026-01-31, =, 2026-99-99]", CASE) == ["2026-01-31", "=", "2026-99-99"]


def test_data_within_bounds_is_what_others_read(tmp_path: Path) -> None:
    data = {"a": [1, 2.5, True, None, "ä\n", {"b": []}], "": {"c": "<<"}, "1": "&x *y !z"}
    assert parse_yaml(yaml.safe_dump(data), CASE) == parse_json(json.dumps(data).encode(), RECORD) == data
    for operator in load().operators.values():
        for path in filter(None, (operator.extras.corpus, *(operator.extras.faults or tmp_path).glob("*.yaml"))):
            bounds = FAULTS if path.parent.parent.name == "faults" else CORPUS
            if path.exists():
                assert parse_yaml(read_text(path, bounds), bounds) == yaml.load(path.read_text(), yaml.CSafeLoader)


def test_a_journal_may_hold_numbers_that_are_not_finite() -> None:
    assert parse_json(b'[Infinity, 1e999, ""]', LINE) == [float("inf"), float("inf"), ""]
    assert parse_yaml("[.inf]", CASE) == [float("inf")]


def test_a_text_of_a_fault_may_stand_in_several_places_and_a_mapping_may_not() -> None:
    assert parse_yaml("a: &x 'text'\nb: *x", FAULTS) == {"a": "text", "b": "text"}
    with pytest.raises(Unreadable, match="alias"):
        parse_yaml(MERGES, FAULTS)
    with pytest.raises(Unreadable, match="no anchor 'y', line 1"):
        parse_yaml("a: *y", FAULTS)
    with pytest.raises(Unreadable, match="two anchors 'x', line 2"):
        parse_yaml("a: &x 1\nb: &x 2", FAULTS)
    many = f"- &x {'a' * 100_000}\n" + "- *x\n" * 50
    with pytest.raises(Unreadable, match="aliases written out"):
        parse_yaml(many, FAULTS)


def test_what_is_read_takes_a_bounded_time() -> None:
    with pytest.raises(Unreadable, match="to read"):
        parse_yaml("[" + "1, " * 50_000 + "]", Bounds(size=1 << 20, nodes=100_000, seconds=0.0))


def test_bounds_hold_to_the_last_value() -> None:
    assert parse_yaml("[[[[[1]]]]]", SMALL) == parse_json(b"[[[[[1]]]]]", SMALL)
    for text in ("[[[[[[1]]]]]]", "[" + "1, " * 50 + "]", "a" * 1001):
        with pytest.raises(Unreadable):
            parse_yaml(text, SMALL)
        with pytest.raises(Unreadable):
            parse_json(text.replace(", ]", "]").encode(), SMALL)


def test_only_a_regular_file_is_read_and_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_bytes(b"a" * 1001)
    names = ("pipe", "loop", "none", "binary", "large", "x" * 300)
    for path in (tmp_path, *(tmp_path / name for name in names), Path("/dev/zero"), Path("a\0b"), Path("\udcff")):
        with pytest.raises(Unreadable, match=r"^[^\n]+$"):
            read_text(path, SMALL)
    assert read_bytes(tmp_path / "binary", SMALL) == b"\xff\xfe"


class Nested(BaseModel):
    inner: "Nested | None" = None
    number: int = 0


def test_what_does_not_fit_a_model_is_one_line_with_its_place() -> None:
    assert fitted(Nested, {"inner": {"number": 3}}).inner == Nested(number=3)
    for data in ({"inner": {"number": "three\nlines"}}, [], None, {"inner": {"inner": 3}}):
        with pytest.raises(Unreadable, match=r"^is malformed: [^\n]+$"):
            fitted(Nested, data)
