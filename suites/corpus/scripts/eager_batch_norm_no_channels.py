# Eager batch_norm of no channels raises an IndexError of its own as soon as there is a weight; without one it returns
# (cf. pytorch#72821). Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

x, weight = torch.zeros(4, 0), torch.zeros(0)
want = F.batch_norm(x, None, None, training=True).shape
try:
    got = F.batch_norm(x, None, None, weight, training=True).shape
except IndexError as error:
    sys.exit(f"{type(error).__name__}: {error}")
assert got == want
