# torch_api, dynamo.dynamic+state_given on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, s90)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten.cross_entropy_loss.default(v0, x1)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True

class Holding(torch.nn.Module):

    def __init__(self):
        super().__init__()
        for name in ['x1', 'x2']:
            self.register_buffer(name, torch.zeros(()))

    def forward(self, x0):
        x1 = self.x1
        x2 = self.x2
        v0 = x0[x2]
        v1 = torch.ops.aten.cross_entropy_loss.default(v0, x1)
        return parts(v1)

def build(settings):
    module = Holding()

    def call(state, x0):
        return torch.func.functional_call(module, state, (x0,))
    compiled = torch.compile(call, **settings)
    return lambda x0, x1, x2: compiled({'x1': x1, 'x2': x2}, x0)
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548, 0.40334683656692505], dtype=torch.float32), torch.tensor([True, True, False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
