"""A function in parts: a module whose submodules follow each other, and whose steps a shared submodule counts."""

from eagerdiff.compiled.rewriting.body import Body, indented

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

MOST = 4
"""Parts of one function."""


def in_parts(body: Body) -> str:
    """Return source of `Exported`, a module of a function's arguments: parts in order, each a submodule.

    What is alive between two parts is handed on. The submodule `steps`, which all parts share, adds 1 to its buffer
    `taken` after each.
    """
    starts = _starts(len(body.statements))
    ends = [*starts[1:], len(body.statements)]
    handed = [list(body.alive(end)) for end in ends[:-1]]
    given = [list(body.parameters), *handed]
    classes: list[str] = []
    lines = [f"{_targets(body.parameters)} = args"] if body.parameters else []
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        last = end == len(body.statements)
        statements = [*body.statements[start:end], *([] if last else [f"return {_tuple(handed[at])}"])]
        classes.append(_PART.format(at=at, given=", ".join(["self", *given[at]]), body=indented(statements, 8)))
        call = f"self.part_{at}({', '.join(given[at])})"
        lines.append(f"{'result' if last else _targets(handed[at])} = {call}")
        lines.append("self.steps()")
    made = [f"self.part_{at} = Part{at}()" for at in range(len(starts))]
    whole = _WHOLE.format(made=indented(made, 8), body=indented([*lines, "return result"], 8))
    return "\n\n".join([_STEPS, *classes, whole])


def steps_of(body: Body) -> int:
    """Return how often `steps` is called in one call of what `in_parts` makes."""
    return len(_starts(len(body.statements)))


def _starts(count: int) -> list[int]:
    size = -(-count // min(MOST, count))
    return list(range(0, count, size))


def _tuple(names: "list[str] | tuple[str, ...]") -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _targets(names: "list[str] | tuple[str, ...]") -> str:
    return f"[{', '.join(names)}]"


_STEPS = """class Steps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("taken", torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)
"""
_PART = """class Part{at}(torch.nn.Module):
    def forward({given}):
{body}
"""
_WHOLE = """class Exported(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = Steps()
{made}

    def forward(self, *args):
{body}
"""
