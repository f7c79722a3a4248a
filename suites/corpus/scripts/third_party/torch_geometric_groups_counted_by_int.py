# torch_geometric 2.8.1: scatter, softmax, pooling and to_dense_batch count groups by int(index.max()) + 1 where nobody says how
# many there are; torch.export runs that int() in Python, where a size that depends on data is no number, and refuses.
# Exits 1 while the bug is there, 0 when it is gone, 2 without torch_geometric (EAGERDIFF_TORCH_GEOMETRIC names a folder that holds it).
# Seen with torch 2.13.0.
import os, sys
import torch
sys.path.insert(0, os.environ.get("EAGERDIFF_TORCH_GEOMETRIC", "."))
try:
    from torch_geometric.utils import scatter
except ImportError as error:
    sys.exit(print(f"needs torch_geometric: {error}") or 2)
class Sum(torch.nn.Module):
    def forward(self, x, index):
        return scatter(x, index)
rows = torch.export.Dim("rows")
x, index = torch.randn(9, 3), torch.tensor([0, 0, 1, 1, 1, 3, 3, 3, 3])
program = torch.export.export(Sum(), (x, index), dynamic_shapes=({0: rows}, {0: rows}))
sys.exit(not torch.allclose(program.module()(x, index), scatter(x, index)))
