# torch.export with a named Dim, whose range begins at 0: max(size, 1) of a sum of sizes is exported as the size alone, so
# that the mean over no rows, which the program takes and the range allows, is 0 / 0 = NaN. Eager gives 0.
import sys
import torch
from torch.export import Dim, export

class Mean(torch.nn.Module):
    def forward(self, x, y):
        whole = torch.cat((x, y))
        return whole.sum(0) / max(whole.size(0), 1)

rows = {"x": {0: Dim("a")}, "y": {0: Dim("b")}}
program = export(Mean(), (torch.ones(3, 2), torch.ones(4, 2)), dynamic_shapes=rows).module()
empty = torch.ones(0, 2)
right, found = Mean()(empty, empty), program(empty, empty)
assert right.tolist() == [0, 0]
if not torch.equal(found, right):
    sys.exit(f"{found.tolist()} where {right.tolist()} is right")
