# programs, export_strict.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=0, max=-oo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1_p = F.pad(x0, (0, -x0.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v1 = (v1_p + v1_p.new_zeros(8)).flatten(-2)[..., :x0.shape[-1]]
    v2 = v1.tanh_()
    return (v2,)
reference = program
example = (torch.zeros(18, dtype=torch.float32).as_strided([2, 9], [1, 2], 0),)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.5164241194725037, -0.5649547576904297, 0.22248123586177826, float("inf"), -0.9774563908576965, 0.7985495924949646, 0.4965345859527588, -0.22427502274513245, float("inf"), -0.13409806787967682, 0.9074698090553284, -0.40869855880737305, -0.8607072830200195, 1.0428822040557861, -1.892301321029663, 0.16009515523910522, 0.32133328914642334, 0.690540611743927, -0.32134121656417847, -1.400118350982666, 0.036311075091362, -1.210577368736267, 0.2982884347438812, -0.13359442353248596, 0.17733222246170044, 9.99994610111476e-41, float("-inf"), 0.9658737778663635, 9.99994610111476e-41, -0.9994915723800659, 0.16430960595607758, -2.5578529834747314, -0.08947648108005524, 1.7194370031356812, 0.009957071393728256, -0.49080365896224976, -0.036270830780267715, -2.6871821880340576], dtype=torch.float32).as_strided((2, 19), (1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
