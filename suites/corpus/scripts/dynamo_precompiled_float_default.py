# A function that is compiled ahead refuses the very call that it was compiled for, where a float is the default of an
# argument of another function: the guard that the float is no NaN looks the function up among globals that are not there.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0; gone in 2.15.0.
import os, sys, tempfile
import torch
def scaled(x, scale=1.0): return x * scale
def f(x): return scaled(x)
x, path = torch.ones(5, 4), os.path.join(tempfile.mkdtemp(), "artifact")
ahead = torch.compile(f, backend="aot_eager", dynamic=True, fullgraph=True).aot_compile(((x,), {}))
ahead.save_compiled_function(path)
with open(path, "rb") as file:
    loaded = torch.compiler.load_compiled_function(file, f_globals=globals())
try:
    loaded(x)
except RuntimeError as error:
    sys.exit(f"refused: {error}")
