# torch_api, export.collection on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.index_reduce(x0, v0, x1, x2, 'amin')
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros([2], dtype=torch.int64), torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028], dtype=torch.float32).reshape((2, 2, 5)), torch.tensor([0, 1], dtype=torch.int64), torch.tensor([0.6407923698425293, 0.441156268119812, -0.21586325764656067, -0.7425481677055359, -0.5730770826339722, -0.5553584098815918, 0.5943230390548706, 1.5419425964355469, 0.5073344111442566, -0.5910331606864929, -0.5692480802536011, 0.9199714064598083, -0.06907268613576889, -0.4949253499507904, -1.4959149360656738, -0.19383712112903595, 0.44551217555999756, 1.3252748250961304, -1.6293259859085083, -0.54974365234375], dtype=torch.float32).reshape((2, 2, 5)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
