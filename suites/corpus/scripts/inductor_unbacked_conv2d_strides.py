# torch.nn.functional.conv2d with any unbacked dim: Inductor is told contiguous strides, the CPU's kernel gives channels
# last, and the generated code dies in every call: AssertionError expected size/stride. Seen with torch 2.13.0, cpu.
import sys
import torch
from torch.nn.functional import conv2d

x, weight = torch.randn(2, 3, 5, 5), torch.randn(4, 3, 3, 3)
torch._dynamo.decorators.mark_unbacked(x, 0)
want = conv2d(x, weight)
try:
    got = torch.compile(conv2d, fullgraph=True)(x, weight)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, want, atol=1e-5)
