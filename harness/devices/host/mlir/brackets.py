"""Text with brackets and strings in it."""

_OPEN, _CLOSE = "<([{", ">)]}"


def end_of(text: str, at: int) -> int:
    """Return the place after the bracket that closes the one at `at`; raise ValueError where none does."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character == '"':
            at = _end_of_string(text, at)
            continue
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE and not _is_arrow(text, at):
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    raise ValueError("a bracket is not closed")


def split(text: str, separator: str = ",") -> list[str]:
    """Return the parts between separators that no bracket and no string holds; nothing of an empty text."""
    parts, depth, start, at = list[str](), 0, 0, 0
    while at < len(text):
        character = text[at]
        if character == '"':
            at = _end_of_string(text, at)
            continue
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE and not _is_arrow(text, at):
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def _end_of_string(text: str, at: int) -> int:
    at += 1
    while text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _is_arrow(text: str, at: int) -> bool:
    return text[at] == ">" and text[at - 1] == "-"
