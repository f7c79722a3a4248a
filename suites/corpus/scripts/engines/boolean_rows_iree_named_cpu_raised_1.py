# engines, iree.named on cpu: RAISED build raised EngineError: iree raised RuntimeError at load: 'arith.cmpi' op requires all operands to have the same type
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, keep_B, w_DH):
    return torch.relu(x_BD[keep_B] @ w_DH)
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([5], dtype=torch.bool).as_strided([5], [1], 0), torch.zeros([8, 12], dtype=torch.float32))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {0: batch}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    import iree.runtime
    from iree.turbine import aot
    exported = aot.export(program)
    exported.session.set_flags('--iree-input-demote-f64-to-f32=false')
    compiled = exported.compile(save_to=None, target_backends='llvm-cpu')
    image = compiled.map_memory()
    config = iree.runtime.Config('local-sync')
    memory = iree.runtime.VmModule.copy_buffer(config.vm_instance, image)
    module = iree.runtime.load_vm_module(memory, config)

    def call(*tensors):
        found = module.main(*[tensor.numpy() for tensor in tensors])
        found = found if isinstance(found, list | tuple) else [found]
        return [torch.from_numpy(one.to_host().copy()) for one in found]
    return (call, lambda: {'bytes': len(image), 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([], dtype=torch.bool), torch.randn(96, generator=G).to(torch.float32).reshape((8, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
