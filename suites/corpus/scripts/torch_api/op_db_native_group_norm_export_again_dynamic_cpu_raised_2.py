# torch_api, export_again.dynamic on cpu: RAISED build raised RuntimeError: Attempting to broadcast a dimension of length 6 at -2! Mismatching argument at index 1 had torch.Size([1, 6, 1]); but expected shape should be broadcastable to [1, 12, 2]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.native_group_norm(x0, x1, x2, 2, 6, 2, 2, 0.5)
    return parts(v0)
reference = program
example = (torch.zeros([1, 12, 2], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros([6], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.15041808784008026, 0.16079287230968475, -0.5852392911911011, 0.9840476512908936, 1.6450802087783813, -0.16966412961483002, 0.47066524624824524, 0.9847210049629211, 1.8663462400436401, -1.0782662630081177, -0.5102483034133911, -0.744568943977356, 0.2724526822566986, -1.1483955383300781, 0.742056667804718, -0.05588241666555405, 1.1563174724578857, 1.8140556812286377, -1.222813606262207, 0.2065582126379013, 0.9783459305763245, -1.195155143737793, 1.309434175491333, 0.13793741166591644], dtype=torch.float32).reshape((1, 12, 2)), torch.tensor([-1.185929536819458, -0.05441754683852196, 0.21337077021598816, 0.37238019704818726, 0.647192120552063, 1.179234266281128], dtype=torch.float32), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
