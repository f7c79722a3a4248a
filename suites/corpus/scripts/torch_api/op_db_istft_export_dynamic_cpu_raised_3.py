# torch_api, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, 8) (unhinted: Ne(u0, 8)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.istft(v0, n_fft=x0.shape[1])
    return parts(v1)
reference = program
example = (torch.zeros([11, 8], dtype=torch.complex64), torch.zeros([11], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([(-1.1258398294448853-0.17396099865436554j), (-1.152360200881958-0.678746223449707j), (-0.2505785822868347+0.9382607340812683j), (-0.4338788092136383+0.4888698160648346j), (0.8487103581428528-0.6730899214744568j), (0.6920091509819031+0.8728312253952026j), (-0.31601276993751526+1.0553574562072754j), (-2.1152193546295166+0.17784371972084045j), (0.32227492332458496-0.5180748105049133j), (-1.2633347511291504-0.30670419335365295j), (0.34998318552970886-1.580993890762329j), (0.30813392996788025+1.7066433429718018j), (0.16645534336566925+1.5091218948364258j), (0.8743818402290344+2.0819554328918457j), (-0.14347384870052338+1.7067116498947144j), (-0.1116093322634697+2.3803675174713135j), (-0.6135830879211426-1.1256016492843628j), (0.03159274160861969-0.31699809432029724j), (-0.4926769733428955-1.09246826171875j), (0.2484147548675537-0.08519429713487625j), (0.6180566549301147+0.32761430740356445j), (-0.41280221939086914-0.7607071995735168j), (-0.8410648107528687-1.5990819931030273j), (-2.316041946411133+0.018486667424440384j), (-0.10230965167284012-0.7504268288612366j), (0.7924439907073975+0.18540798127651215j), (-0.28966769576072693+0.621138334274292j), (0.05250748619437218+0.6381815671920776j)], dtype=torch.complex64).reshape((7, 4)), torch.tensor([True, True, True, False, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
