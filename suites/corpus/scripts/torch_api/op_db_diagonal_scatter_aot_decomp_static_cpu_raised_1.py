# torch_api, aot_decomp.static on cpu: RAISED BackendCompilerFailed: backend='aot_eager_decomp_partition' raised: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.diagonal_scatter(x0, x1, x2)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=False, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-kG32@-`c2t!%QcK_=_`1l=18Er{;DXn6xHrV<xh(IP5pqL$+j@)n?B5khVAeLC(9D*$h)7?(W&*}S_Ub$t%`*hpco#SnGKpvZaFVNCeF{L@ICsAl40qLadZ73rbg@)0hM@I1!M*IRQP5a7EunCM-a;nUbkh9SbRfH$BKJc#4bmpmtH{46l{{Dp0w7QfB(9M+Dp5VH&HG`Ht<=XM=As`XdQL$TRs~fMY%D#I|61ihOdd#fou3C@xc}{bBSUZLYX-S>w@wBj4e2aGcP^0#Qlv*WPJ~V-fN-#fDrROY8O{r0h3xM=RPuV^F?B3{tP9Y@9?eLBfo%QlMY<>*R@0C&+xX4}N<cX2f5WCL{zH|-=4YE_&EtyeIMBduhL!)7>R&1Az-jF_{b(ue!%l@pNJIU*D>M?rfX<gOsXz7XZBE`1ZrQ;i6C4c<jxMK', torch.int8).reshape((8, 10, 8)), tensor_from_text('c-jre!4beP2m>&KLxKI*HKDoFM?8R#+fTRSdZa~l9S+qwc#W-ET@fLxwL71jMUVag1*Z|Q', torch.int8).reshape((8, 8)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
