"""The source of a module of an installed package for a script: its pickle without its weights, which calls bring."""

import copy

import torch

from eagerdiff.suites.own.called import ModuleCall
from eagerdiff.suites.own.installed import of_package, pickled

MOST_PICKLED = 20_000
"""Characters of a module in a script."""
STATEFUL = "stateful({})"
"""What is called in place of what was compiled of `program`."""
STATELESS = "stateless({})"
"""The same of what was exported."""
_SOURCE = """
{made}
weights = {{**dict(made.named_parameters()), **dict(made.named_buffers())}}

def program(*args):
    return made({form})

def reference(*args):
    *args, state = args
    return (lambda *given, **named: torch.func.functional_call(made, state, given, named))({form})

def stateful(function):
    def call(*args):
        *rest, state = args
        with torch.no_grad():
            for name, tensor in weights.items():
                tensor.copy_(state[name])
            result = function(*rest)
            for name, tensor in made.named_buffers():
                state[name].copy_(tensor)
        return result
    return call

def stateless(function):
    return lambda *args: function(*args[:-1])
"""


def module_source(called: ModuleCall) -> str:
    """Return source that defines `program`, `reference`, `stateful` and `stateless`.

    Empty where gradients are taken, where a part of the module is of no installed package, or where it has no short
    pickle.
    """
    if called.gradients or any(of_package(type(part)) is None for part in called.module.modules()):
        return ""
    module = copy.deepcopy(called.module)
    with torch.no_grad():
        for tensor in (*module.parameters(), *module.buffers()):
            tensor.zero_()
    made = pickled(module, MOST_PICKLED)
    return _SOURCE.format(made=made, form=called.form.text) if made else ""
