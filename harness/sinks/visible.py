"""Characters that act rather than show, written so that they show."""

import re
from typing import Any, cast

_ACTING = (
    r"\x00-\x1f\x7f-\x9f"  # control characters, C0 and C1: an escape sequence begins with one
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # hide, or turn the direction of text
    r"\U000e0000-\U000e007f"  # tags: text that no one sees
    r"\ud800-\udfff\ufffe\uffff"  # halves of characters, and what is none
)
_HALVES = re.compile(r"[\ud800-\udfff]")
_EVERY = re.compile(f"[{_ACTING}]")
_BUT_LINES = re.compile(f"(?![\n\t])[{_ACTING}]")


def visible(text: str, *, lines: bool = False) -> str:
    """Return a text with every character that acts as an escape (`\\x1b`); `lines` keeps line breaks and tabs.

    What is returned can be encoded in UTF-8, and is returned unchanged if given again.
    """
    return (_BUT_LINES if lines else _EVERY).sub(_escape, text)


def one_line(text: str) -> str:
    """Return a text as one line, its blanks joined, with every character that acts as an escape."""
    return visible(" ".join(text.split()))


def encodable(value: Any) -> Any:
    """Return nested data whose texts can be encoded: halves of characters (lone surrogates) as escapes, the rest as is.

    Exceptions of C++ code, and texts cut in the middle, hold some; JSON and files in UTF-8 cannot.
    """
    if isinstance(value, str):
        return value if value.isascii() else _HALVES.sub(_escape, value)
    if isinstance(value, dict):
        return {encodable(name): encodable(item) for name, item in cast(dict[Any, Any], value).items()}
    if isinstance(value, tuple | list):
        items = [encodable(item) for item in cast("list[Any]", value)]
        return tuple(items) if isinstance(value, tuple) else items
    return value


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
