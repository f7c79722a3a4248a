# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) // 2)*((1 + (a)) // 2) >= ((1 + (a)) // 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.unfold(x0, 2, stride=2, padding=0)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 11, 12], dtype=torch.float32),)
a = torch.export.Dim('a', min=2)
dynamic_shapes = (({2: a, 3: a + 1},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((2, 2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
