# channel_shuffle of a channels-last tensor: Inductor returns contiguous strides, eager (and AOTAutograd alone) keeps the
# memory format. Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

def reference(x):
    return F.channel_shuffle(x, 2)

x = torch.randn(2, 4, 6, 8).contiguous(memory_format=torch.channels_last)
want = reference(x)
assert torch.compile(reference, fullgraph=True, backend="aot_eager", dynamic=True)(x).stride() == want.stride()
got = torch.compile(reference, fullgraph=True, dynamic=True)(x)
if got.stride() != want.stride():
    sys.exit(f"strides {got.stride()}, eager: {want.stride()}")
