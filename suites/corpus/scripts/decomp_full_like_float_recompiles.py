# torch.full_like(x, s) with a Python float s and dynamic=True: AOTAutograd's decompositions make a constant of s, and each
# new value compiles again; x * s and Dynamo alone compile once.
import sys
import torch
from torch._dynamo.testing import CompileCounterWithBackend

def compiles(function, backend):
    torch._dynamo.reset()
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(function, backend=counter, dynamic=True, fullgraph=True)
    for s in (0.5, -1.5, 2.5, 3.5):
        assert torch.equal(compiled(torch.ones(2, 2), s), function(torch.ones(2, 2), s))
    return counter.frame_count

decomposed = "aot_eager_decomp_partition"
assert compiles(torch.full_like, "eager") == compiles(torch.mul, decomposed) == 1
if (count := compiles(torch.full_like, decomposed)) > 1:
    sys.exit(f"{count} compiles for 4 values of a float")
