# programs, export_decomposed.dynamic on cpu: RAISED AssertionError: Guard failed: torch.sym_float(args_1.size()[0]) < 10.0 * torch.sym_float(args_0.size()[0] * args_0.size()[1]) ** 0.145
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.isin(x0, x1, invert=False)
    return (v2,)
reference = program
example = (torch.zeros([9, 9], dtype=torch.float64), torch.zeros([9], dtype=torch.float64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(841, generator=G).to(torch.float64).reshape((29, 29)), torch.tensor([0.38942402601242065, 0.036842260509729385, 1.1219632625579834, 0.42680349946022034, 0.8941440582275391, 0.8092350363731384, 0.45182204246520996, -1.49490487575531, 0.042108453810214996, -1.4296470880508423, 1.3092395067214966, -0.16959206759929657, -0.24388249218463898, 1.0043281316757202, 0.8196964859962463, 0.15724045038223267, -0.48350247740745544, -0.18620635569095612, 1.3197221755981445, -1.316643476486206, -1.631119728088379, -0.8240142464637756, 0.08468755334615707, 2.02435302734375, 1.2797868251800537, -0.3572247326374054, -0.580442488193512, -1.5273094177246094, -1.856359601020813], dtype=torch.float64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
