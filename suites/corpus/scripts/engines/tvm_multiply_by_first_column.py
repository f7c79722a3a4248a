# apache-tvm 0.27.0, relax: a product with the first column of another tensor, whose sizes are dynamic, is imported and
# not lowered: CodeGenVM cannot emit `R.multiply`.
# Exits 1 while the bug is there, 0 when it is gone, 2 without apache-tvm: make engines ENGINE=tvm.
import sys
try:
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install apache-tvm") or 2)
import torch
class Program(torch.nn.Module):
    def forward(self, x, y):
        return torch.tanh(x + y) * y[:, :1]
rows = torch.export.Dim("rows", min=0, max=99)
exported = torch.export.export(Program(), (torch.randn(5, 7), torch.randn(5, 7),), dynamic_shapes=({0: rows, 1: torch.export.Dim('columns', min=0, max=99)}, {0: rows, 1: torch.export.Dim('columns', min=0, max=99)},))
try:
    compiled = tvm.compile(from_exported_program(exported), target=tvm.target.Target("llvm"))
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:300]}")
machine = relax.VirtualMachine(compiled, tvm.cpu())
given = (torch.randn(4, 3), torch.randn(4, 3),)
found = torch.from_dlpack(machine["main"](*map(tvm.runtime.from_dlpack, given))[0]).clone()
wanted = exported.module()(*given)
print("right:", right := found.shape == wanted.shape and torch.allclose(found, wanted, atol=1e-5))
sys.exit(not right)
