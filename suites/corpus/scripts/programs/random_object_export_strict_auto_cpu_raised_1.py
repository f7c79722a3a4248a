# programs, export_strict.auto on cpu: RAISED build raised AssertionError: Dynamo attempts to add additional input during export: value=0.8444218635559082, source=RandomValueSource(random_call_index=0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import random

def program(x0):
    v1_r = random.Random(0)
    v1_y = x0 * v1_r.random()
    v1_z = v1_r.randint(1, 9)
    v1 = v1_y + v1_z
    return (v1,)
reference = program
example = (torch.zeros([2], dtype=torch.float32),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
