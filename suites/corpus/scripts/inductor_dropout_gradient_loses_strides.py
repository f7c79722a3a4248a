# native_dropout_backward of transposed tensors: Inductor returns contiguous strides, eager (and AOTAutograd alone) those
# of the gradient, as the multiplication that it is does in Inductor too. Seen with torch 2.13.0, cpu.
import sys
import torch

def reference(gradient, mask):
    return torch.ops.aten.native_dropout_backward(gradient, mask, 2.0)

gradient, mask = torch.randn(6, 5).mT, (torch.rand(6, 5) > 0.5).mT
want = reference(gradient, mask).stride()
assert torch.compile(lambda x, y: x * y * 2.0, fullgraph=True, dynamic=True)(gradient, mask).stride() == want
got = torch.compile(reference, fullgraph=True, dynamic=True)(gradient, mask).stride()
if got != want:
    sys.exit(f"strides {got}, eager: {want}")
