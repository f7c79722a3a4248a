# x.mul_(3) of a float64 tensor of no dims on the CPU, not used otherwise: AOTAutograd drops the write, in silence, with the
# AOT-eager back end and with Inductor. A float32 one, or of one dim, is written.
import sys
import torch

def triple(x):
    x.mul_(3)
    return torch.ones(2)

x = torch.tensor(4.0, dtype=torch.float64)
torch.compile(triple, backend="aot_eager")(x)
if x != 12:
    sys.exit(f"{x.item()} where {12.0} is right")
