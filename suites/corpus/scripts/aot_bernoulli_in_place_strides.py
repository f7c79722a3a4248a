# bernoulli_(p) of a transposed tensor's clone: AOTAutograd returns contiguous strides, eager keeps the tensor's own, as
# AOTAutograd does for uniform_ (with the strides go the values drawn). Seen with torch 2.13.0, cpu.
import sys
import torch

def reference(x):
    return x.clone().bernoulli_(0.5)

x = torch.randn(5, 3).t()
want = reference(x).stride()
assert torch.compile(lambda x: x.clone().uniform_(), fullgraph=True, backend="aot_eager")(x).stride() == want
got = torch.compile(reference, fullgraph=True, backend="aot_eager")(x).stride()
if got != want:
    sys.exit(f"strides {got}, eager: {want}")
