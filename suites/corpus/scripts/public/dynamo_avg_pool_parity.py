# avg_pool2d of stride 2: a guard on the parity of the size. github.com/pytorch/pytorch/issues/144075, closed. Present
# on 2.11.0.
import sys, torch
from torch._dynamo.testing import CompileCounter
c = CompileCounter()
f = torch.compile(lambda x: torch.nn.functional.avg_pool2d(x, 3, 2, 1), dynamic=True, backend=c)
for n in (8, 9, 10, 13, 16): f(torch.randn(2, 3, n, n))
if c.frame_count > 1: sys.exit(f"{c.frame_count} compiles")
