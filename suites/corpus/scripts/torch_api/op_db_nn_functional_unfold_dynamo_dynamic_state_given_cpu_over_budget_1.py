# torch_api, dynamo.dynamic+state_given on cpu: OVER_BUDGET 3 <= state['x0'].size()[2] (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.unfold(x0, 2)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True

class Holding(torch.nn.Module):

    def __init__(self):
        super().__init__()
        for name in ['x0']:
            self.register_buffer(name, torch.zeros(()))

    def forward(self):
        x0 = self.x0
        v0 = torch.nn.functional.unfold(x0, 2)
        return parts(v0)

def build(settings):
    module = Holding()

    def call(state):
        return torch.func.functional_call(module, state, ())
    compiled = torch.compile(call, **settings)
    return lambda x0: compiled({'x0': x0})
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.bool).reshape((0, 1, 3, 3)), ), {}),
    ((torch.tensor([], dtype=torch.bool).reshape((0, 1, 2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
