# executorch 1.5.1: elements at positions that nonzero finds are exported, lowered and loaded, and every call fails with
# error 0x12, whatever is found; nonzero alone is right.
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
class Positive(torch.nn.Module):
    def forward(self, x):
        at = torch.nonzero(x > 0)
        return x[at[:, 0], at[:, 1]]
rows = torch.export.Dim("rows", min=3, max=16)
program = torch.export.export(Positive(), (torch.ones(5, 4),), dynamic_shapes=({0: rows},))
lowered = to_edge_transform_and_lower(program).to_executorch()
method = Runtime.get().load_program(lowered.buffer).load_method("forward")
x = torch.tensor([[1.0, -1, 2, -2]] * 5)
try:
    found = method.execute([x])[0]
except RuntimeError as error:
    sys.exit(print(f"RuntimeError: {error}; torch gives {Positive()(x).tolist()}") or 1)
sys.exit(not torch.equal(found, Positive()(x)))
