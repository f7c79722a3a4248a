"""A call of a module as one of its lazy counterpart, which is compiled before its parameters have sizes."""

from eagerdiff.compiled.rewriting.body import Body, indented

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

CALLED = "torch.func.functional_call(module, "
"""How drawn code calls the module that is a global of it, with its parameters and buffers."""


def lazy(body: Body) -> str:
    """Return source of `build`, which takes the arguments of `torch.compile` and returns a function of the arguments.

    What is compiled is a function that calls the lazy counterpart of `module`: where it is compiled by itself, torch
    finds its sizes before it traces. Nothing is compared of the first call, which gives the parameters their sizes.
    Then, as before each call, the state becomes what is given, and what the module writes is written to that.
    """
    statements = [line.replace(CALLED, "loaded(") for line in body.statements]
    return _LAZY.format(given=", ".join(body.parameters), body=indented(statements, 8))


_LAZY = """
import inspect


def lazily(module, state):
    name = type(module).__name__
    kind = getattr(torch.nn, f"Lazy{{name}}")
    options = {{one: getattr(module, one) for one in inspect.signature(kind).parameters if hasattr(module, one)}}
    if "bias" in options:
        options["bias"] = options["bias"] is not None
    dtypes = [value.dtype for value in state.values() if value.is_floating_point() or value.is_complex()]
    return kind(**options, **({{"dtype": dtypes[0]}} if dtypes else {{}})).train(module.training)


def build(settings):
    made = compiled = None

    @torch.no_grad()
    def loaded(state, args, options):
        nonlocal made, compiled
        if made is None:
            made = lazily(module, state)
            compiled = torch.compile(lambda *args, **options: made(*args, **options), **settings)
            compiled(*args, **options)
        made.load_state_dict(state, strict=False)
        result = compiled(*args, **options)
        for name, value in made.named_buffers():
            state[name].copy_(value)
        return result

    def call({given}):
{body}

    return call
"""
