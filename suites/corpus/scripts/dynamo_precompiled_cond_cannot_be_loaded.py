# A function with torch.cond that was compiled ahead (aot_compile) and saved cannot be loaded: "TracingContext.get() must be called
# within an ongoing trace". A guard on the module torch was saved, and unpickling what it guards (ImportSource) installs a guard.
import os
import sys
import tempfile
import torch

def branch(x):
    return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

def plain(x):
    return x + 1

def saved_and_loaded(function, x):
    path = os.path.join(tempfile.mkdtemp(), "artifact")
    torch.compile(function, backend="aot_eager", fullgraph=True).aot_compile(((x,), {})).save_compiled_function(path)
    with open(path, "rb") as file:
        assert torch.equal(torch.compiler.load_compiled_function(file)(x), function(x))

saved_and_loaded(plain, torch.ones(3))
try:
    saved_and_loaded(branch, torch.ones(3))
except RuntimeError as error:
    sys.exit(str(error)[:200])
