"""Files as a stranger, an editor or a disk may leave them: a right one, changed in places."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import yaml

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    2**64,
    10**30,
    10**90,
    1.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    " ",
    "x",
    "moe",
    "evil.py:OPERATOR",
    "evil:OPERATOR",
    "os:system",
    "../../etc/passwd",
    "a\x1b[2Jb",
    "\ud800",
    "\x00",
    "\u202e",
    "9" * 400,
    "x" * 5000,
    "offline:sm_90",
    "cuda",
    "PASSED",
    "relation:x",
    "2026-01-01",
    "null",
    [],
    {},
    [[]],
    [{}],
    {"": {}},
    {"a": 1},
    [1] * 1000,
    ["evaluators"],
    {"spec": "evil.py:OPERATOR"},
    [{"LLMJudge": {"rubric": "x"}}],
)
"""What a value may be replaced by."""
TOKENS = (
    *(b"[", b"]", b"{", b"}", b":", b",", b'"', b"'", b"\n", b"\t", b" ", b"#", b"-", b"- ", b"? ", b"|\n", b">\n"),
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1b[2J", b"\\ud800", b"\\u0000", b"---\n", b"...\n", b"%YAML 9.9\n"),
    *(b"&a ", b"*a", b"<<: *a", b"! ", b"!!binary ", b"!!python/name:os.system "),
    *(b"1e999", b"NaN", b"-Infinity", b"0x", b"9" * 400, b"[" * 500, b"{a: " * 500),
)
"""What may be put into a text."""
NAMES = ("evaluators", "report_evaluators", "name", "inputs", "", "__class__", "model_config", "defect", "$schema")


def write_yaml(data: Any) -> bytes:
    return yaml.safe_dump(data, sort_keys=False).encode("utf-8", "surrogatepass")


def write_json(data: Any) -> bytes:
    return json.dumps(data).encode()


def mutated(data: Any, seed: int, write: Callable[[Any], bytes]) -> bytes:
    """Return a file that is not quite what `data` says: one to four of its values, or of its bytes, are others."""
    chance = random.Random(seed)
    changed = copy.deepcopy(data)
    if seed % 3:
        for _ in range(chance.choice((1, 1, 2, 4))):
            changed = _change(changed, chance)
    try:
        text = write(changed)
    except (
        RecursionError,
        ValueError,
    ):  # too deep, or in itself
        text = b"[" * 5000
    if seed % 3 == 0 or seed % 10 == 1:
        for _ in range(chance.randint(1, 4)):
            text = _spoil(text, chance)
    return text


def _change(data: Any, chance: random.Random) -> Any:
    """Change one value, name or length somewhere in nested data."""
    places = list(_places(data))
    if not places:
        return chance.choice(VALUES)
    holder, key = chance.choice(places)
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(NAMES)] = copy.deepcopy(chance.choice((holder[key], *VALUES)))
        case 2 if isinstance(holder, list):
            holder.insert(chance.randint(0, len(holder)), copy.deepcopy(chance.choice((holder[key], *VALUES))))
        case 3:
            other, name = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        case 4:
            for _ in range(chance.choice((3, 66))):
                holder[key] = [holder[key]] if chance.randrange(2) else {"a": holder[key]}
        case _:
            holder[key] = copy.deepcopy(chance.choice(VALUES))
    return data


def _places(data: Any) -> "Sequence[tuple[Any, Any]]":
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        value = waiting.pop()
        keys: Any = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        found += [(value, key) for key in keys]
        waiting += [value[key] for key in keys]
    return found


def _spoil(text: bytes, chance: random.Random) -> bytes:
    """Cut, double, swap or replace some bytes."""
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice((0, 1, 2, 10, 100, len(text))))
    match chance.randrange(6):
        case 0:
            return text[:start]
        case 1:
            return text[:start] + text[end:]
        case 2:
            return text[:end] + text[start:end] * chance.choice((1, 2, 20)) + text[end:]
        case 3:
            return text[:start] + bytes([chance.randrange(256)]) + text[start + 1 :]
        case _:
            return text[:start] + chance.choice(TOKENS) + text[end:]
