# torch_api, inductor.dynamic+precompiled on cpu: RAISED PackageError: DICT_VERSION guard cannot be serialized.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.Hardtanh().train()

def inner(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)

def program(x0):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
from typing import Any

class Precompiled:

    def __init__(self, compiled, file, names):
        self.compiled = compiled
        self.names = names
        self.file = file
        self.loaded: list[Any] = []

    def __call__(self, *args, **options):
        for one in self.loaded:
            if one.guard_check(*args, **options):
                return one(*args, **options)
        path = self.file()
        self.compiled.aot_compile((args, options)).save_compiled_function(path)
        with open(path, 'rb') as file:
            self.loaded.append(torch.compiler.load_compiled_function(file, f_globals=self.names))
        return self.loaded[-1](*args, **options)
import os, tempfile
implementation = Precompiled(compiled, lambda: os.path.join(tempfile.mkdtemp(), 'artifact'), globals())

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
