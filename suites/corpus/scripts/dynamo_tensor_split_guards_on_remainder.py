# x.tensor_split(3) with dynamic=True compiles again for each remainder of the size, "(x.size()[0] % 3) > 0" being a guard; split
# into the same pieces, whose sizes need no guard, compiles once.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def pieces(x):
    return torch.split(x, [(x.shape[0] + 2 - piece) // 3 for piece in range(3)])

def compiles(function):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True, fullgraph=True)
    for size in (6, 7, 8, 9, 10, 11):
        x = torch.arange(size)
        assert all(map(torch.equal, compiled(x), x.tensor_split(3)))
    return counter.frame_count

assert compiles(pieces) == 1
if (count := compiles(lambda x: x.tensor_split(3))) > 1:
    sys.exit(f"{count} compiles")
