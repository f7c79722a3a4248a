# max_unpool2d of channels-last tensors: Inductor returns contiguous strides, eager (and AOTAutograd alone) keeps the
# memory format. Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

def reference(pooled, indices):
    return F.max_unpool2d(pooled, indices, 2)

x = torch.randn(2, 4, 6, 8).contiguous(memory_format=torch.channels_last)
calls = F.max_pool2d(x, 2, return_indices=True)
want = reference(*calls)
assert torch.compile(reference, fullgraph=True, backend="aot_eager", dynamic=True)(*calls).stride() == want.stride()
got = torch.compile(reference, fullgraph=True, dynamic=True)(*calls)
if got.stride() != want.stride():
    sys.exit(f"strides {got.stride()}, eager: {want.stride()}")
