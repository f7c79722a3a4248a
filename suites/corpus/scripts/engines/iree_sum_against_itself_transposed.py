# iree 3.13.0 (llvm-cpu): row sums less the same sums laid across, s[:, None] - s, are all 0: one of the two operands is
# read where the other is. Silently, with static shapes too.
# Exits 1 while the bug is there, 0 when it is gone, 2 without iree: make engines ENGINE=iree.
import sys
try:
    import iree.runtime
    from iree.turbine import aot
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install iree-turbine iree-base-compiler iree-base-runtime") or 2)
import torch
class Differences(torch.nn.Module):
    def forward(self, x):
        sums = x.sum(1)
        return sums.unsqueeze(1) - sums
x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]])
compiled = aot.export(torch.export.export(Differences(), (x,))).compile(save_to=None, target_backends="llvm-cpu")
config = iree.runtime.Config("local-sync")
memory = iree.runtime.VmModule.copy_buffer(config.vm_instance, compiled.map_memory())
found = torch.from_numpy(iree.runtime.load_vm_module(memory, config).main(x.numpy()).to_host().copy())
right = Differences()(x)
print(f"iree {found.tolist()}, torch {right.tolist()}")
sys.exit(not torch.equal(found, right))
