"""A program of a derived dim (8 * n) is decomposed as it is exported, and no more once it was saved and loaded.

Seen with torch 2.13.0 (CPU): AssertionError: expected sympy.Symbol, of a relu. Whoever gets the file cannot use it:
torch.onnx, ExecuTorch and others begin by decomposing.
"""

import io
import sys

import torch


class Relu(torch.nn.Module):
    def forward(self, x):
        return x.relu()


n = torch.export.Dim("n", min=1, max=16)
program = torch.export.export(Relu(), (torch.randn(24),), dynamic_shapes=({0: 8 * n},))
assert torch.equal(program.run_decompositions().module()(torch.ones(16)), torch.ones(16))

file = io.BytesIO()
torch.export.save(program, file)
file.seek(0)
loaded = torch.export.load(file)
assert torch.equal(loaded.module()(torch.ones(16)), torch.ones(16))
try:
    loaded.run_decompositions()
except AssertionError as error:
    print(f"after it was loaded: AssertionError: {error}")
    sys.exit(1)
