# apache-tvm 0.27.0, relax: a sum over an axis that is dynamic, of no rows, is what lay in the memory, and not 0: the
# accumulator is set in the loop over the rows, which does not run. A mean is that, divided by 0.
# Exits 1 while the bug is there, 0 when it is gone, 2 without apache-tvm: make engines ENGINE=tvm.
import sys
try:
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install apache-tvm") or 2)
import torch
class Sum(torch.nn.Module):
    def forward(self, x):
        return x.sum(0)
rows = torch.export.Dim("rows", min=0, max=99)
exported = torch.export.export(Sum(), (torch.randn(5, 3),), dynamic_shapes=({0: rows},))
compiled = tvm.compile(from_exported_program(exported), target=tvm.target.Target("llvm"))
machine = relax.VirtualMachine(compiled, tvm.cpu())
right, kept = True, []
for count in (4, *[0] * 30):  # freed memory holds another number each time
    x = torch.ones(count, 3)
    found = torch.from_dlpack(machine["main"](tvm.runtime.from_dlpack(x))[0]).clone()
    if not torch.equal(found, x.sum(0)):
        print(f"{count} rows: tvm {found.tolist()}, torch {x.sum(0).tolist()}")
        right = False
    kept.append(torch.full((3,), 7.0) if len(kept) % 2 else found)
sys.exit(not right)
