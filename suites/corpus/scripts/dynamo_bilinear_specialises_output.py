# F.bilinear with dynamic=True: the number of outputs, the weight's first size, becomes a constant, and every number compiles again;
# its other sizes do not, nor does the same contraction by einsum.
import sys
import torch
import torch.nn.functional as F
from torch._dynamo.testing import CompileCounter

def contraction(x, y, weight):
    return torch.einsum("bi,oij,bj->bo", x, weight, y)

def compiles(function):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True, fullgraph=True)
    for outputs in (4, 6, 8):
        args = torch.randn(2, 3), torch.randn(2, 5), torch.randn(outputs, 3, 5)
        assert torch.allclose(compiled(*args), F.bilinear(*args), atol=1e-5)
    return counter.frame_count

assert compiles(contraction) == 1
if (count := compiles(F.bilinear)) > 1:
    sys.exit(f"{count} compiles for 3 numbers of outputs")
