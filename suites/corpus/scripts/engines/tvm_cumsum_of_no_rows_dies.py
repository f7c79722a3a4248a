# apache-tvm 0.27.0, relax: cumsum along an axis that is dynamic dies by a segmentation fault where there are no rows.
# Exits 1 while the bug is there, 0 when it is gone, 2 without apache-tvm: make engines ENGINE=tvm.
import sys
try:
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install apache-tvm") or 2)
import torch
import os, signal
class CumSum(torch.nn.Module):
    def forward(self, x):
        return x.cumsum(0)
rows = torch.export.Dim("rows", min=0, max=99)
exported = torch.export.export(CumSum(), (torch.randn(5, 3),), dynamic_shapes=({0: rows},))
compiled = tvm.compile(from_exported_program(exported), target=tvm.target.Target("llvm"))
machine = relax.VirtualMachine(compiled, tvm.cpu())
for count in (4, 0):
    if (child := os.fork()) == 0:
        x = torch.ones(count, 3)
        found = torch.from_dlpack(machine["main"](tvm.runtime.from_dlpack(x))[0])
        os._exit(not torch.equal(found, x.cumsum(0)))
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(f"{count} rows:", "right" if not ended else signal.Signals(-ended).name if ended < 0 else "wrong")
sys.exit(ended != 0)
