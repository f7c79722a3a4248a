# executorch 1.5.1: a sum of float64 numbers over an axis is accumulated in float32, silently: its error is a float32's.
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
class Sum(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)
x = torch.tensor([[1.0, 2.0**-30]], dtype=torch.float64)
lowered = to_edge_transform_and_lower(torch.export.export(Sum(), (x,))).to_executorch()
found = Runtime.get().load_program(lowered.buffer).load_method("forward").execute([x])[0]
print(f"executorch gives 1 + {found.item() - 1}, torch 1 + {Sum()(x).item() - 1}")
sys.exit(not torch.equal(found, Sum()(x)))
