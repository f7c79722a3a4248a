# repeat_interleave with no rows: eager returns no rows, Inductor's lowering of the index raises IndexError.
import sys
import torch
torch._dynamo.config.capture_dynamic_output_shape_ops = True

def reference(x, count):
    return torch.repeat_interleave(x, count, dim=0) + 1.0

x, count = torch.randn(0, 8), torch.zeros(0, dtype=torch.int64)
assert reference(x, count).shape == (0, 8)
try:
    got = torch.compile(reference, fullgraph=True)(x, count)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert got.shape == (0, 8)
