# programs, dynamo.dynamic+state_given on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.where(x0)[0]
    v2_rows, v2_columns = torch.triu_indices(v1.shape[-1], v1.shape[-1], int(False), device=v1.device)
    v2 = (v1[..., :, None] - v1[..., None, :])[..., v2_rows, v2_columns]
    return (v2,)
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
        v1 = torch.where(x0)[0]
        v2_rows, v2_columns = torch.triu_indices(v1.shape[-1], v1.shape[-1], int(False), device=v1.device)
        v2 = (v1[..., :, None] - v1[..., None, :])[..., v2_rows, v2_columns]
        return (v2,)

def build(settings):
    module = Holding()

    def call(state):
        return torch.func.functional_call(module, state, ())
    compiled = torch.compile(call, **settings)
    return lambda x0: compiled({'x0': x0})
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
