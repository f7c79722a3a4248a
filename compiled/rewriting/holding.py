"""A function as a module that holds some of its tensors: parameters and buffers, loaded anew before each call."""

from collections.abc import Mapping

from eagerdiff.compiled.rewriting.body import Body, indented

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

ENTRIES: Mapping[str, str] = {
    "module": "compiled = torch.compile(module, **settings)",
    "forward": "compiled = torch.compile(module.forward, **settings)",
    "in_place": "module.compile(**settings)\n    compiled = module",
}
"""What of a module is compiled, by name: itself, its method, itself in place."""


def held(body: Body) -> list[str]:
    """Return the names of the tensors that become a module's state: all but the first, or the only one."""
    tensors = [name for name in body.parameters if name.startswith("x")]
    return tensors[1:] or tensors


def reloaded(body: Body, entry: str) -> str:
    """Return source of `build`, which takes the arguments of `torch.compile` and returns a function of the arguments.

    Before each call the module's state becomes what is given: copied by `load_state_dict` into what it holds where
    sizes, dtypes and layouts allow it, else put in its place. What the module writes is written to what was given.
    """
    return _module(body) + _RELOADED.format(
        every=", ".join(body.parameters), state=_dict(body), given=_given(body), entry=ENTRIES[entry]
    )


def functional(body: Body) -> str:
    """Return source of `build`, as `reloaded` does, for a module that is called with its state as an argument."""
    given = _given(body)
    return _module(body) + _FUNCTIONAL.format(
        every=", ".join(body.parameters),
        state=_dict(body),
        given=given,
        call=f"({given},)" if given else "()",
        after=f", {given}" if given else "",
    )


def _given(body: Body) -> str:
    return ", ".join(name for name in body.parameters if name not in held(body))


def _dict(body: Body) -> str:
    return "{" + ", ".join(f"{name!r}: {name}" for name in held(body)) + "}"


def _module(body: Body) -> str:
    taken = [f"{name} = self.{name}" for name in held(body)]
    return _MODULE.format(
        names=held(body),
        given=", ".join(filter(None, ["self", _given(body)])),
        body=indented([*taken, *body.statements], 8),
    )


_MODULE = """
class Holding(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name in {names}:
            self.register_buffer(name, torch.zeros(()))

    def forward({given}):
{body}
"""
_RELOADED = """

def put(module, name, value):
    delattr(module, name)
    if value.is_floating_point():
        module.register_parameter(name, torch.nn.Parameter(value, requires_grad=False))
    else:
        module.register_buffer(name, value)


def load(module, own, name, value):
    held = getattr(module, name)
    if not value.is_contiguous():
        own.discard(name)
        put(module, name, value)
    elif name in own and held.shape == value.shape:
        module.load_state_dict({{name: value}}, strict=False)
    else:
        own.add(name)
        put(module, name, value.clone())


def build(settings):
    module, own = Holding(), set()
    {entry}

    def loaded({every}):
        state = {state}
        for name, value in state.items():
            load(module, own, name, value)
        result = compiled({given})
        for name in own:
            state[name].copy_(getattr(module, name))
        return result

    return loaded
"""
_FUNCTIONAL = """

def build(settings):
    module = Holding()

    def call(state{after}):
        return torch.func.functional_call(module, state, {call})

    compiled = torch.compile(call, **settings)
    return lambda {every}: compiled({state}{after})
"""
