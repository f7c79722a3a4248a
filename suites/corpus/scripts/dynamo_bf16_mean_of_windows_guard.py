# dynamic=True, the mean of overlapping windows: in bfloat16 alone, tracing guards on 2 <= size <= 3 and compiles again.
import sys
import torch
import torch.nn.functional as F

def compiles(dtype):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(lambda x: F.pad(x, (3, 0)).unfold(1, 4, 1).mean(-1), backend="eager", dynamic=True)
    for batch, seq in ((8, 2), (16, 55)):
        compiled(torch.randn(batch, seq, dtype=dtype))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

narrow, wide = compiles(torch.bfloat16), compiles(torch.float32)
if narrow > wide:
    sys.exit(f"{narrow} graphs in bfloat16, {wide} in float32")
