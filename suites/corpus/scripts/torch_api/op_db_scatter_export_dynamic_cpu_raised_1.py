# torch_api, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.scatter(x0, v0, x1, x2)
    return parts(v1)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32), torch.zeros([5, 5], dtype=torch.int64), torch.zeros([5, 5], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, -0.6135830879211426, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133, -0.10230965167284012], dtype=torch.float32).reshape((5, 5)), torch.tensor([3, 1, 4, 1, 2, 3, 0, 2, 1, 0, 4, 3, 1, 1, 0, 3, 1, 1, 2, 4, 1, 3, 4, 0, 0], dtype=torch.int64).reshape((5, 5)), torch.tensor([1.1108161211013794, 1.2898740768432617, -1.4781739711761475, 2.567232847213745, -0.4731197953224182, 0.3355507552623749, 1.5091218948364258, 2.0819554328918457, -0.47983425855636597, 0.39450275897979736, 1.9414620399475098, 0.791498064994812, -0.02025182731449604, -0.43716955184936523, 1.6458669900894165, -1.3601689338684082, 0.34456542134284973, 1.6247831583023071, -0.3656187951564789, -1.3024404048919678, 0.09940346330404282, 0.44182202219963074, 0.24692639708518982, 0.07688700407743454, 0.33800581097602844], dtype=torch.float32).reshape((5, 5)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
