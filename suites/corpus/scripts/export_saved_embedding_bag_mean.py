# An exported embedding_bag (mode="mean") with as many rows as 2*a+2 cannot be saved: "exponent must be non-negative, got
# -1" (the mean's division is a symbolic power, which the printer of saved expressions does not know).
import io
import sys
import torch
import torch.nn.functional as F

class Bags(torch.nn.Module):
    def forward(self, indices, weight):
        return F.embedding_bag(indices, weight, mode="mean")

a = torch.export.Dim("a", min=1)
example = torch.zeros(2, 10, dtype=torch.int64), torch.zeros(22, 22)
program = torch.export.export(Bags(), example, dynamic_shapes=({1: a}, {0: 2 * a + 2, 1: 2 * a + 2}))
try:
    torch.export.save(program, io.BytesIO())
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
