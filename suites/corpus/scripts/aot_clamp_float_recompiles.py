# x.clamp(max=s) with a Python float s and dynamic=True: AOTAutograd turns floats into tensors for sums and products alone, and makes
# a constant of this one: every value compiles again, up to the limit, then eager runs. Dynamo alone compiles once, as x * s does.
import sys
import torch
from torch._dynamo.testing import CompileCounterWithBackend

def compiles(function, backend):
    torch._dynamo.reset()
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(function, backend=counter, dynamic=True, fullgraph=True)
    for value in (0.5, 1.5, 2.5, 3.5):
        x = torch.arange(5.0)
        assert torch.equal(compiled(x, value), function(x, value))
    return counter.frame_count

assert compiles(lambda x, s: x.clamp(max=s), "eager") == compiles(lambda x, s: x * s, "aot_eager") == 1
if (count := compiles(lambda x, s: x.clamp(max=s), "aot_eager")) > 1:
    sys.exit(f"{count} compiles for 4 values")
