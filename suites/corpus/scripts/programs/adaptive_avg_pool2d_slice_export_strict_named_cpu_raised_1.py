# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = x0[:4:3]
    v3 = F.adaptive_avg_pool2d(x1, (2, None))
    return (v2, v3)
reference = program
example = (torch.zeros([2, 2], dtype=torch.complex64), torch.zeros(8, dtype=torch.float32).as_strided([2, 2, 1, 2], [4, 1, 4, 2], 0))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a + 1}, {2: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([(0.0016565707046538591+1.4423388242721558j), (0.11363871395587921-0.6339946985244751j), (0.5931562185287476+0.7817269563674927j), (-1.9987735748291016+1.0000000150474662e+30j), (inf-0.5186905264854431j), (9.99994610111476e-41-infj), (0.0643511563539505+0.33436089754104614j), (-0.6801016926765442-0.05538039281964302j)], dtype=torch.complex64).reshape((2, 4)), torch.tensor([0.21147039532661438, -1.4704772233963013, 0.7880892157554626, -0.25489917397499084, -0.6113935708999634, -0.6456995606422424, 0.12640152871608734, -0.5821888446807861, -2.0008676052093506, 1.2056572437286377, 1.9037147760391235, 1.5244483947753906, -0.26758620142936707, -0.5188916325569153, 0.4834158420562744, 0.919108510017395, -0.9342549443244934, 0.7636108994483948, 1.452255129814148, 2.5272579193115234, -2.008680820465088, -0.9469225406646729, 0.44710028171539307, -0.936095118522644], dtype=torch.float32).as_strided((2, 2, 3, 2), (12, 1, 4, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
