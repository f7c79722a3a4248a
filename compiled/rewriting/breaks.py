"""A function with graph breaks between its statements, of one kind; what it does besides, it must do once, in order."""

from collections.abc import Mapping

from eagerdiff.compiled.rewriting.body import Body, indented

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

KINDS: Mapping[str, str] = {
    "asked": "torch._dynamo.graph_break()",
    "item": "{tensor}.detach().isnan().any().item()",
    "print": 'print(end="")',
    "builtin": "globals()",
    "disabled": "{name} = apart({tensor})",
    "branch": "passed = 1 if {tensor}.detach().isnan().any() else 2",
    "block": "with torch.set_grad_enabled(torch.is_grad_enabled()):\n    torch._dynamo.graph_break()",
}
"""What breaks the graph and changes nothing, by name: asked for, a number read from a tensor (where those are not
captured), output, a builtin that Dynamo does not know, a function that is not to be compiled, a branch on data, and a
break inside a `with` block."""


def broken(body: Body, kind: str) -> str:
    """Return source of `build`, which takes the arguments of `torch.compile` and returns a function of the arguments.

    A break of the kind stands before every statement, and an effect after each break: its number, appended to a list
    that the caller owns. What happens twice, not at all or in another order raises AssertionError.
    """
    name = body.tensor if body.tensor.isidentifier() else "passed"
    broken_by = KINDS[kind].format(tensor=body.tensor, name=name)
    lines: list[str] = []
    for at, statement in enumerate(body.statements):
        lines += [broken_by, f"TAKEN.append({at})", statement]
    return _BROKEN.format(
        given=", ".join(body.parameters), body=indented(lines), steps=list(range(len(body.statements)))
    )


_BROKEN = """
TAKEN = []


@torch.compiler.disable
def apart(tensor):
    return tensor


def call({given}):
{body}


def build(settings):
    compiled = torch.compile(call, **settings)

    def checked(*args):
        TAKEN.clear()
        result = compiled(*args)
        assert TAKEN == {steps}, f"effects around graph breaks: {{TAKEN}} where {steps} is right"
        return result

    return checked
"""
