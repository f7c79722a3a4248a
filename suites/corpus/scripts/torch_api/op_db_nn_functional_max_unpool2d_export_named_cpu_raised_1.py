# torch_api, export.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.max_unpool2d(x0, x1, kernel_size=(3, x2), stride=(2, 1), padding=(1, 1), output_size=(1, 2, 6, 6))
    return parts(v0)
reference = program
example = (torch.zeros([1, 2, 4, 7], dtype=torch.float32), torch.zeros([1, 2, 4, 7], dtype=torch.int64), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(56, generator=G).to(torch.float32).reshape((1, 2, 4, 7)), tensor_from_text('c-mc%ITFAi3<Eh06Cg4F|7?ngBI{-c<3qBAFFgFCidigT6uWqf8}Ekxf&K<2ae)^YvBxoIqyG4q$Y=O4uwq_^4~LF~I~jCM=s*7t^1RQ&e%8H~zX7}', torch.int64).reshape((1, 2, 4, 7)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
