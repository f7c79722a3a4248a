# apache-tvm 0.27.0, relax: a matrix product of float64, or of float16, of a program of torch.export comes out as
# float32, silently: the importer asks for that dtype whatever the operands have. torch gives theirs.
# Exits 1 while the bug is there, 0 when it is gone, 2 without apache-tvm: make engines ENGINE=tvm.
import sys
try:
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install apache-tvm") or 2)
import torch
class Product(torch.nn.Module):
    def forward(self, x, w):
        return x @ w
rows = torch.export.Dim("rows", min=0, max=99)
right = True
for dtype in (torch.float32, torch.float64, torch.float16):
    example = torch.randn(5, 3, dtype=dtype), torch.randn(3, 4, dtype=dtype)
    exported = torch.export.export(Product(), example, dynamic_shapes=({0: rows}, None))
    compiled = tvm.compile(from_exported_program(exported), target=tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(compiled, tvm.cpu())
    found = torch.from_dlpack(machine["main"](*map(tvm.runtime.from_dlpack, example))[0])
    print(f"{dtype} gives {found.dtype}")
    right = right and found.dtype == dtype
sys.exit(not right)
