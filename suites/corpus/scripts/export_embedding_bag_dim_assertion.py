# torch.export of embedding_bag whose bags have the length of a named Dim: the bound that is to be suggested, 30/7 <= b, ends in
# "Expected op to be '==', got <=", an assertion of torch's own. With Dim.DYNAMIC it is exported.
import sys
import torch

class Program(torch.nn.Module):
    def forward(self, indices, table):
        return torch.nn.functional.embedding_bag(indices, table, mode="sum")

def export(dim):
    example = torch.zeros(2, 10, dtype=torch.int64), torch.randn(1, 3)
    return torch.export.export(Program(), example, dynamic_shapes=({1: dim}, None)).module()

indices, table = torch.zeros(2, 6, dtype=torch.int64), torch.randn(1, 3)
assert torch.allclose(export(torch.export.Dim.DYNAMIC)(indices, table), Program()(indices, table))
try:
    export(torch.export.Dim("b"))
except AssertionError as error:
    sys.exit(str(error))
