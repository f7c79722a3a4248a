# x.reshape(1, n, 2) of a tensor (2, n, 1): where n is 2 when it first varies, tracing takes the coincidence for a rule, makes a constant
# of n, and the next size compiles again; from other sizes on, and flattened to 2 * n, it does not.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def compiles(shape, sizes):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x: x.reshape(shape(x.shape[1])), backend=counter, fullgraph=True)
    for size in sizes:
        x = torch.randn(2, size, 1)
        assert torch.equal(compiled(x), x.reshape(shape(size)))
    return counter.frame_count

assert compiles(lambda n: (1, n, 2), (4, 3, 5)) == compiles(lambda n: (2 * n,), (4, 2, 3)) == 2
if (count := compiles(lambda n: (1, n, 2), (4, 2, 3))) > 2:
    sys.exit(f"{count} compiles for 3 sizes")
