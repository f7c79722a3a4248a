# programs, aot_eager.dynamic+precompiled on cpu: RAISED TensorifyScalarRestartAnalysis
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.rsqrt(x0)
    return (v1,)
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
    ((torch.tensor([70.56510162353516], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
