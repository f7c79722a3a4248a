# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range 3 <= a satisfy the generated guard (L['args'][0].size()[0] % 3) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1, x2, x3):
    v4_0 = F.pad(x0, (1, 1), value=((2, 3, 5)[x0.shape[0] % 3] & x0.shape[1]) + s1)[..., 1:-1]
    v4 = v4_0
    v5 = F.conv1d(v4, x2, x3, stride=1, padding=0, dilation=1)
    return (v5,)
reference = program
example = (torch.zeros([12, 12], dtype=torch.float32), 1.0, torch.zeros([12, 12, 3], dtype=torch.float32), torch.zeros([12], dtype=torch.float32))
a = torch.export.Dim('a', min=3)
dynamic_shapes = (({0: a, 1: a}, None, {0: a, 1: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072], dtype=torch.float32).reshape((3, 3)), 1.0, torch.tensor([0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 1.3893661499023438, 1.586334228515625, 0.946298360824585, 0.4888698160648346, -0.6730899214744568, 0.8728312253952026, 1.0553574562072754, 0.17784371972084045, -0.23033547401428223, -0.3917543888092041, 0.5432947278022766, 1.7066433429718018, -0.4462171792984009, 0.7440207004547119, 1.5209795236587524, 3.4105026721954346, -1.5311843156814575, -1.2341350317001343, 1.8197252750396729], dtype=torch.float32).reshape((3, 3, 3)), torch.tensor([-0.40334352850914, 0.3019222617149353, 1.1294931173324585], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
