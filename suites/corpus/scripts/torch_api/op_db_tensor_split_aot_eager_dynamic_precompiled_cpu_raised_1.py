# torch_api, aot_eager.dynamic+precompiled on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(4*u0, 0) (unhinted: Eq(s40**2*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0, x1), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)

class Precompiled:

    def __init__(self, compiled, file, names, found=()):
        self.compiled = compiled
        self.names = names
        self.file = file
        self.loaded = [self.load(path) for path in found]

    def load(self, path):
        with open(path, 'rb') as file:
            return torch.compiler.load_compiled_function(file, f_globals=self.names)

    def __call__(self, *args, **options):
        for one in self.loaded:
            if one.guard_check(*args, **options):
                return one(*args, **options)
        path = self.file()
        self.compiled.aot_compile((args, options)).save_compiled_function(path)
        self.loaded.append(self.load(path))
        return self.loaded[-1](*args, **options)
import os, tempfile
implementation = Precompiled(compiled, lambda: os.path.join(tempfile.mkdtemp(), 'artifact'), globals())

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([False, False, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
