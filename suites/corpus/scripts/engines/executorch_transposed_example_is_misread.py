# executorch 1.5.1: a program exported of a transposed tensor takes none but a contiguous one ("should be contiguous or
# channels-last"), and reads that as if it were transposed: it gives wrong numbers, silently.
# Exits 1 while the bug is there, 0 when it is gone, 2 without executorch: make engines ENGINE=executorch.
import sys
import warnings
warnings.filterwarnings("ignore")
try:
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install executorch") or 2)
import torch
class Product(torch.nn.Module):
    def forward(self, x, w):
        return x @ w
x, w = torch.arange(6.0).view(1, 3, 2).transpose(1, 2), torch.eye(3)
lowered = to_edge_transform_and_lower(torch.export.export(Product(), (x, w))).to_executorch()
method = Runtime.get().load_program(lowered.buffer).load_method("forward")
try:
    method.execute([x, w])
except RuntimeError as error:
    print(f"as it was exported: {error}")
found = method.execute([x.contiguous(), w])[0]
print(f"contiguous: executorch gives {found.tolist()}, torch {Product()(x, w).tolist()}")
sys.exit(not torch.equal(found, Product()(x, w)))
