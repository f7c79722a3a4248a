# torch_api, export_again.named on cpu: RAISED build raised UserError: Constraints violated (d)! - You marked d as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.as_strided_scatter(x0, x1, (2, x1.shape[1]), (1, 2))
    return parts(v0)
reference = program
example = (torch.zeros(4, dtype=torch.float32).as_strided([2, 2], [0, 1], 0), torch.zeros([2, 2], dtype=torch.float32))
d = torch.export.Dim('d')
dynamic_shapes = (({}, {1: d}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.8944377303123474, -0.3155883252620697], dtype=torch.float32).as_strided((2, 2), (0, 1)), torch.tensor([2.518159866333008, 23.875560760498047, 37.077491760253906, 8.898736000061035, -74.66072082519531, -150.3108673095703, 99.07769775390625, 26.045249938964844, -113.14688873291016, -62.315391540527344, 59.43593215942383, -3.5113208293914795, -84.255126953125, -322.84185791015625], dtype=torch.float32).reshape((2, 7)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
