# torch.export of scan, first with dynamic rows and then with a dynamic row size: the second is refused ("specialized it to be a
# constant"), for the scan's body was compiled for the first. On its own, or after torch._dynamo.reset(), it is exported.
import sys
import torch
from torch._higher_order_ops import scan

class Program(torch.nn.Module):
    def forward(self, x):
        return scan(lambda total, row: (total + row, total * 2), torch.ones_like(x[0]), x)[1]

def export(dim):
    dynamic_shapes = ({dim: torch.export.Dim.DYNAMIC},)
    return torch.export.export(Program(), (torch.zeros(2, 9),), dynamic_shapes=dynamic_shapes)

export(1)
torch._dynamo.reset()
export(0)
try:
    export(1)
except torch._dynamo.exc.UserError as error:
    sys.exit(str(error)[:300])
