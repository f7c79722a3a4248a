# programs, export.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((-1) + (c) + ((1 + (c)) // 2)) // ((1 + (c)) // 2)) == 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='nearest')
    v2, v3 = v1.chunk(2, 0)
    return (v2,)
reference = program
example = (torch.zeros(484, dtype=torch.float32).as_strided([11, 2, 11], [44, 22, 2], 0),)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({0: c, 2: c},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-2.0645461082458496, -2.0645461082458496, -0.9846004843711853, -0.9846004843711853, 0.26951783895492554, 0.26951783895492554, -0.5262259244918823, -0.5262259244918823, -0.736880362033844, -0.736880362033844, 2.173879623413086, 2.173879623413086, -2.2774815559387207, -2.2774815559387207, 0.49116745591163635, 0.49116745591163635, -0.06166969984769821, -0.06166969984769821, -0.4608903229236603, -0.4608903229236603, 1.998640537261963, 1.998640537261963, 0.7847182154655457, 0.7847182154655457, -0.48079201579093933, -0.48079201579093933, 0.40039461851119995, 0.40039461851119995, 1.4937406778335571, 1.4937406778335571, -0.4469388425350189, -0.4469388425350189, 0.21766582131385803, 0.21766582131385803, 0.7331135869026184], dtype=torch.float32).as_strided((3, 2, 3), (12, 6, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
