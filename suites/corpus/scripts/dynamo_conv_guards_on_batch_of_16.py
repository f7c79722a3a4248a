# A convolution with dynamic=True: choosing the CPU's kernel asks, while it is traced, whether the batch is 16 or more, which is
# then a guard, "16 <= x.size()[0]": batches below and above compile apart. With a stride of 2 it does not ask, and compiles once.
import sys
import torch
import torch.nn.functional as F
from torch._dynamo.testing import CompileCounter

def compiles(stride):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(F.conv1d, backend=counter, dynamic=True, fullgraph=True)
    for batch in (5, 16, 6, 40):
        x, weight = torch.ones(batch, 4, 9), torch.ones(7, 4, 3)
        assert torch.allclose(compiled(x, weight, stride=stride), F.conv1d(x, weight, stride=stride))
    return counter.frame_count

assert compiles(stride=2) == 1
if (count := compiles(stride=1)) > 1:
    sys.exit(f"{count} compiles for 4 batches")
