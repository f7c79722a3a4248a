# torch_api, export_decomposed.dynamic on cpu: RAISED RuntimeError: Expected X.is_contiguous(memory_format) to be true, but got false. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.GroupNorm(3, 6, 0.001, bias=False).train()

def program(x0, x1):
    v0 = torch.func.functional_call(module, {'weight': x1}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 6, 2], dtype=torch.float32), torch.zeros([6], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((2, 6, 2)), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32), ), {}),
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, 0.16645534336566925, 0.8743818402290344, -0.2505785822868347, -0.4338788092136383, -0.14347384870052338, -0.1116093322634697, 0.8487103581428528, 0.6920091509819031, 0.9318265914916992, 1.2590092420578003, -0.31601276993751526, -2.1152193546295166, 2.0049805641174316, 0.05373690277338028, 0.46809640526771545, -0.1577124446630478, 0.6180566549301147, -0.41280221939086914, 1.4436601400375366, 0.26604941487312317, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).as_strided((2, 6, 2), (2, 4, 1)), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
