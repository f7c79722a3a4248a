# torch_api, export_saved.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.BatchNorm2d(3, 0.001, None).train()

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2, 'running_mean': x3, 'running_var': x4, 'num_batches_tracked': x5}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 3, 2, 2], dtype=torch.float32), torch.zeros([3], dtype=torch.float32), torch.zeros([3], dtype=torch.float32), torch.zeros([3], dtype=torch.float32), torch.zeros([3], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

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
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((2, 3, 2, 2)), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255], dtype=torch.float32), torch.tensor([0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665], dtype=torch.float32), torch.tensor([-0.7184800505638123, 0.5186367630958557, -1.3125219345092773], dtype=torch.float32), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
