# programs, dynamo.dynamic+reloaded_forward on cpu: RAISED UserError: Dynamo failed to run FX node with fake tensors: call_function <built-in function setitem>(*(FakeTensor(..., size=(s14, s40), dtype=torch.int64), (Ellipsis, slice(1, None, None)), FakeTensor(..., size=(s14, s40 - 1), dtype=torch.i
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, x2):
    v3 = x0[:n1]
    v4_z = torch.zeros_like(v3)
    v4_z[..., 1:] = v3[..., :-1]
    v4 = v4_z
    v5_copy = v4.clone()
    v5_copy[:, x2] = 1
    v5 = v5_copy
    return (v5,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True

class Holding(torch.nn.Module):

    def __init__(self):
        super().__init__()
        for name in ['x2']:
            self.register_buffer(name, torch.zeros(()))

    def forward(self, x0, n1):
        x2 = self.x2
        v3 = x0[:n1]
        v4_z = torch.zeros_like(v3)
        v4_z[..., 1:] = v3[..., :-1]
        v4 = v4_z
        v5_copy = v4.clone()
        v5_copy[:, x2] = 1
        v5 = v5_copy
        return (v5,)

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
        module.load_state_dict({name: value}, strict=False)
    else:
        own.add(name)
        put(module, name, value.clone())

def build(settings):
    module, own = (Holding(), set())
    compiled = torch.compile(module.forward, **settings)

    def loaded(x0, n1, x2):
        state = {'x2': x2}
        for name, value in state.items():
            load(module, own, name, value)
        result = compiled(x0, n1)
        for name in own:
            state[name].copy_(getattr(module, name))
        return result
    return loaded
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5], dtype=torch.int64).reshape((2, 3)), 0, torch.tensor([1], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
