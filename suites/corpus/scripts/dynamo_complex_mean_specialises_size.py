# The mean of a complex tensor with dynamic=True: the size of the dim becomes a constant, and every size compiles again; the
# mean of a real one, and the sum divided by the size, compile once.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def graphs(function, dtype=torch.complex64):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True)
    for size in (5, 6, 7, 9):
        compiled(torch.ones(size, 3, dtype=dtype))
    return counter.frame_count

mean, real = graphs(lambda x: x.mean(0)), graphs(lambda x: x.mean(0), torch.float32)
assert graphs(lambda x: x.sum(0) / x.shape[0]) == real
if mean > real:
    sys.exit(f"{mean} graphs for 4 sizes, {real} of a real tensor")
