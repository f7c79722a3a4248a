# torch_api, export_saved.auto on cpu: RAISED build raised RuntimeError: 0 INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/utils/python_arg_parser.cpp":659, please report a bug to PyTorch. dispatch_on_subclass called with NO overloaded args that actually triggered dispatch, perhaps there
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.linalg.pinv(x0)
    v1 = torch.zeros_like(v0)
    v2 = torch.linalg.pinv(x0, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
