# A convolution whose number of channels is dynamic compiles again for each number in Inductor, which makes constants of all
# sizes of the weight (guard_int_seq); AOTAutograd with the same decompositions compiles once.
import sys
import torch
import torch.nn.functional as F
from torch._dynamo.testing import CompileCounterWithBackend

def compiles(backend):
    torch._dynamo.reset()
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(F.conv1d, backend=counter, dynamic=True, fullgraph=True)
    for channels in (16, 8, 12):
        x, weight = torch.ones(2, channels, 9), torch.ones(5, channels, 3)
        assert torch.allclose(compiled(x, weight), F.conv1d(x, weight))
    return counter.frame_count

assert compiles("aot_eager_decomp_partition") == 1
if (count := compiles("inductor")) > 1:
    sys.exit(f"{count} compiles for 3 numbers of channels")
