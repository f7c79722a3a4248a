# torch.vmap over no rows, eager: a scalar times a vector raises IndexError (its batching rule selects row 0),
# where sin, sum and vector products return no rows. Seen with torch 2.13.0, cpu.
import sys
import torch

x = torch.zeros(0, 3)
want = torch.vmap(lambda row: row * row)(x).shape
try:
    got = torch.vmap(lambda row: row.sum() * row)(x).shape
except IndexError as error:
    sys.exit(f"{type(error).__name__}: {error}")
assert got == want
