# programs, export.bounded on cpu: RAISED build raised AssertionError: Expected an equality constraint for s33, got (3 <= s33) & (s33 <= 16)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0[..., :x0.shape[-1] // 2 * 2]
    v1 = torch.view_as_complex(v1.unflatten(-1, (-1, 2)).clone(memory_format=torch.contiguous_format))
    return (v1,)
reference = program
example = (torch.zeros([9, 9, 10], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a, 1: a, 2: a + 1},),)

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
    ((torch.tensor([1.0000000150474662e+30, float("nan"), 0.7691002488136292, 0.9683046936988831, 0.5341072678565979, -0.12376746535301208, 1.2145127058029175, 1.0795137882232666, -1.1549800634384155, -0.313506156206131, -0.0, -0.819261908531189, -0.0, -0.198635995388031, -1.7856364250183105, float("-inf"), 0.6394661068916321, -0.6456112265586853, 0.4875484108924866, -1.033843755722046, 0.7144143581390381, -1.0573006868362427, -0.78260338306427, 0.18358682096004486, 0.7903391718864441, -0.329967200756073, 0.5535497665405273, 0.4240412712097168, -0.017658479511737823, -0.855965256690979, -0.7207645773887634, -2.340122938156128, 2.348029136657715, 0.8050930500030518, -1.1634314060211182, 0.9097700119018555], dtype=torch.float32).reshape((3, 3, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
