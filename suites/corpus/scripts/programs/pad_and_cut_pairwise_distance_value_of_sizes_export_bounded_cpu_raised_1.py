# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked b as dynamic but your code specialized it to be a constant (7). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_0 = x0 + torch.arange(x0.shape[0] % 9, device=x0.device).sum()
    v2 = v2_0
    v3 = F.pairwise_distance(x0, v2)
    v4_p = F.pad(x1, (0, -x1.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v4 = (v4_p + v4_p.new_zeros(8)).flatten(-2)[..., :x1.shape[-1]]
    return (v3, v4)
reference = program
example = (torch.zeros([13, 2], dtype=torch.float32), torch.zeros([7, 8], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a}, {0: b, 1: b + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[1].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.162941813468933, -0.9524039030075073, 1.523543357849121, 0.4914654791355133, 1.9495062828063965, -0.3080069124698639, -0.5209693312644958, 0.28783267736434937, -0.1261574625968933, 0.42765143513679504, 0.24984988570213318, 0.3490806221961975, -0.9725459218025208, 0.5116780400276184, -0.11696646362543106, -1.7361575365066528, 0.21789933741092682, -0.07135061919689178, -0.12087461352348328, -0.050477284938097, -0.7930246591567993, 1.2237857580184937, 1.5943328142166138, 0.7102510333061218, 0.7393701076507568, -0.6118902564048767, 0.7673479914665222, 0.6673136353492737], dtype=torch.float32).reshape((14, 2)), torch.tensor([-2.0, -2.0, -1.0, -1.0, -1.0, 0.0, 2.0, 2.0, -1.0, 3.0, -1.0, 0.0, 2.0, -1.0, -3.0, 1.0, 0.0, -2.0, -1.0, -2.0, -2.0, 1.0, -1.0, -1.0, 2.0, 2.0, -1.0, -2.0, -2.0, -1.0], dtype=torch.float32).reshape((5, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
