# programs, dynamo.dynamic+random_object on cpu: RAISED AssertionError: a random number is 138 where Python's is 979
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.lp_pool2d(x0, 2.0, 1, stride=2, ceil_mode=True)
    v3_q, v3_k, v3_v = x1.chunk(3, dim=-1)
    v3 = (v3_q @ v3_k.mT * v3_q.shape[-1] ** (-0.5)).softmax(dim=-1) @ v3_v
    return (v2, v3)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import random
GENERATOR = random.Random()

def drawn(x0, x1):
    v2 = F.lp_pool2d(x0, 2.0, 1, stride=2, ceil_mode=True)
    v3_q, v3_k, v3_v = x1.chunk(3, dim=-1)
    v3 = (v3_q @ v3_k.mT * v3_q.shape[-1] ** (-0.5)).softmax(dim=-1) @ v3_v
    return (v2, v3)

def call(x0, x1):
    number = GENERATOR.randint(1, 1000)
    return (drawn(x0, x1), torch.zeros(1) + number)

def build(settings):
    compiled = torch.compile(call, **settings)
    made = 0

    def seeded(x0, x1):
        nonlocal made
        made += 1
        GENERATOR.seed(made)
        result, found = compiled(x0, x1)
        wanted = random.Random(made).randint(1, 1000)
        assert int(found) == wanted, f"a random number is {int(found)} where Python's is {wanted}"
        return result
    return seeded
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2744, generator=G).to(torch.float32).as_strided((7, 7, 7, 8), (56, 392, 8, 1)), torch.tensor([-2.0, -3.0, -1.0, 1.0, 3.0, 0.0, 2.0, -3.0, 3.0, -1.0, 0.0, -2.0, -1.0, 1.0, 0.0, -3.0, -2.0, -3.0, 1.0, 3.0, -1.0, -1.0, -1.0, -2.0, -1.0, -3.0, 0.0, 2.0, 3.0, 1.0, 3.0, 0.0, -2.0, -2.0, 3.0, 2.0, -3.0, 3.0, -1.0, 3.0, 3.0, -1.0, 3.0, 2.0, 2.0, -2.0, -1.0, -1.0], dtype=torch.float64).reshape((4, 4, 3)), ), {}),
    ((torch.randn(2744, generator=G).to(torch.float32).as_strided((7, 7, 7, 8), (56, 392, 8, 1)), torch.tensor([-2.0, -3.0, -1.0, 1.0, 3.0, 0.0, 2.0, -3.0, 3.0, -1.0, 0.0, -2.0, -1.0, 1.0, 0.0, -3.0, -2.0, -3.0, 1.0, 3.0, -1.0, -1.0, -1.0, -2.0, -1.0, -3.0, 0.0, 2.0, 3.0, 1.0, 3.0, 0.0, -2.0, -2.0, 3.0, 2.0, -3.0, 3.0, -1.0, 3.0, 3.0, -1.0, 3.0, 2.0, 2.0, -2.0, -1.0, -1.0], dtype=torch.float64).reshape((4, 4, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
