# engines, iree.outside on cpu: RAISED GuardLost: iree answered where a guard of the program refuses the call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(q_BHSD, k_BGSD):
    batch, groups, seq, width = k_BGSD.shape
    repeats = q_BHSD.size(1) // groups
    k = k_BGSD.unsqueeze(2).expand(batch, groups, repeats, seq, width).reshape(batch, groups * repeats, seq, width)
    return (q_BHSD * k).sum(-1)
example = (torch.zeros([5, 4, 13, 8], dtype=torch.float32), torch.zeros([5, 2, 13, 8], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 2: seq}, {0: batch, 2: seq}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4, 0, 8)).data, torch.tensor([], dtype=torch.float32).reshape((0, 2, 0, 8)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
