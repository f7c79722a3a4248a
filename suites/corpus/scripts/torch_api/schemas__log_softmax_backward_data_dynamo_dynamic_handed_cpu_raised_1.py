# torch_api, dynamo.dynamic+handed on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: The size of tensor a (s29: hint = 2) must match the size of tensor b (s21: hint = 3) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten._log_softmax_backward_data.default(x0, x1, 1, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import dataclasses

@dataclasses.dataclass
class Record:
    x0: object

def one_by_one(values):
    for value in values:
        yield value

def call(record, packed):
    [x0, x1] = one_by_one([record.x0, packed['x1']])
    v0 = torch.ops.aten._log_softmax_backward_data.default(x0, x1, 1, 1)
    return parts(v0)

def build(settings):
    compiled = torch.compile(call, **settings)
    return lambda x0, x1: compiled(Record(x0), {'x1': x1})
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
