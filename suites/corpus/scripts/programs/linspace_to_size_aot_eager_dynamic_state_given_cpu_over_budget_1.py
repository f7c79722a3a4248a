# programs, aot_eager.dynamic+state_given on cpu: OVER_BUDGET tensor 'state['x0']' size mismatch at index 0. expected 3, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.linspace(-1, x0.shape[0], x0.shape[0] + 1, device=x0.device)
    return (v1,)
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
        v1 = torch.linspace(-1, x0.shape[0], x0.shape[0] + 1, device=x0.device)
        return (v1,)

def build(settings):
    module = Holding()

    def call(state):
        return torch.func.functional_call(module, state, ())
    compiled = torch.compile(call, **settings)
    return lambda x0: compiled({'x0': x0})
compiled = build(dict(backend='aot_eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
