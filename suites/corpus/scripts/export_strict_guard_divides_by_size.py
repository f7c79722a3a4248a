# torch.export(strict=True) of a linear layer, three dims of its input named alike: the exported program divides by the size
# in a guard, and raises ZeroDivisionError at 0, which the Dim allows. With strict=False it runs, as eager does.
import sys
import torch
from torch.export import Dim, export

class Linear(torch.nn.Module):
    def forward(self, x, weight):
        return torch.nn.functional.linear(x, weight)

a = Dim("a")
dims = {"x": {0: a, 1: a, 3: a}, "weight": {1: a}}
program = export(Linear(), (torch.ones(9, 9, 2, 9), torch.ones(2, 9)), dynamic_shapes=dims, strict=True).module()
try:
    program(torch.ones(0, 0, 2, 0), torch.ones(2, 0))
except ZeroDivisionError as error:
    sys.exit(f"ZeroDivisionError: {error}")
