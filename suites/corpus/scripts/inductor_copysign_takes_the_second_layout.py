# copysign of a transposed and a contiguous tensor: Inductor returns the second one's layout, eager the first one's, as
# Inductor does for a sum (github.com/pytorch/pytorch/issues/198364). Seen with torch 2.13.0, cpu.
import sys
import torch

x, y = torch.randn(6, 5).mT, torch.randn(5, 6)
want = torch.copysign(x, y).stride()
assert torch.compile(torch.add, fullgraph=True, dynamic=True)(x, y).stride() == want
got = torch.compile(torch.copysign, fullgraph=True, dynamic=True)(x, y).stride()
if got != want:
    sys.exit(f"strides {got}, eager: {want}")
