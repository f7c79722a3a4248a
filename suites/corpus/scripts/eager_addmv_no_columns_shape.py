# Eager addmv of a one-element input and a matrix without columns returns the input's shape [1], not the broadcast [2]
# of the meta kernel (addmm broadcasts). Seen with torch 2.13.0, cpu.
import sys
import torch

args = torch.ones(1), torch.ones(2, 0), torch.ones(0)
want = torch.addmv(*(a.to("meta") for a in args)).shape
assert want == (2,) and torch.addmv(torch.ones(1), torch.ones(2, 3), torch.ones(3)).shape == want
got = torch.addmv(*args).shape
if got != want:
    sys.exit(f"eager: {tuple(got)}, meta and every matrix with columns: {tuple(want)}")
