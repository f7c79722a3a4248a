# torch_api, dynamo.automatic+break_print on cpu: RAISED RuntimeError: Runtime assertion failed for expression u0 <= 4 on node 'le'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.masked_select(x0, x1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
TAKEN = []

def call(x0, x1):
    print(end='')
    TAKEN.append(0)
    v0 = torch.masked_select(x0, x1)
    print(end='')
    TAKEN.append(1)
    return parts(v0)

def build(settings):
    compiled = torch.compile(call, **settings)

    def checked(*args):
        TAKEN.clear()
        result = compiled(*args)
        assert TAKEN == [0, 1], f'effects around graph breaks: {TAKEN} where [0, 1] is right'
        return result
    return checked
compiled = build(dict(backend='eager', dynamic=None, fullgraph=False))
implementation = compiled

calls = [
    ((torch.tensor([0, -1, 3, -2], dtype=torch.int64).reshape((2, 1, 2)), torch.tensor([True, False, True, False, True, False], dtype=torch.bool).reshape((3, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
