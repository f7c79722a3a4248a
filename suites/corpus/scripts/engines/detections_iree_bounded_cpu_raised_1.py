# engines, iree.bounded on cpu: RAISED build raised EngineError: iree raised RuntimeError at load: 'memref.alloca' op expected no unbounded stack allocations
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(boxes_N4, scores_N):
    order = torch.argsort(scores_N, descending=True)
    boxes, scores = (boxes_N4[order], scores_N[order])
    size = (boxes[:, 2:] - boxes[:, :2]).clamp(min=0).prod(1)
    low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    overlap = (shared / (size[:, None] + size - shared).clamp(min=1e-06)).triu(diagonal=1)
    kept = torch.nonzero(~(overlap > 0.5).any(0)).squeeze(1)
    return (boxes[kept], scores[kept])
example = (torch.zeros([5, 4], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {0: batch}),)

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
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0.48749399185180664, 0.7370175123214722, 0.9263046979904175, 1.023675799369812, 0.6666797995567322, 0.41269057989120483, 0.863135576248169, 0.8459514379501343, 0.7002520561218262, 0.9593098759651184, 0.9974470734596252, 1.2028499841690063, 0.47342759370803833, 0.3959077000617981, 0.6053434014320374, 0.6850676536560059, 0.31807661056518555, 0.611177921295166, 0.4450070261955261, 0.7768943905830383, 0.3484278917312622, 0.6980307102203369, 0.4559257924556732, 1.1172935962677002, 0.7084263563156128, 0.6394732594490051, 0.8232799172401428, 1.0046541690826416, 0.04497629404067993, 0.21662646532058716, 0.23268049955368042, 0.48190945386886597], dtype=torch.float32).reshape((8, 4)).data, torch.tensor([2.0, 0.0, 3.0, 6.0, 7.0, 5.0, 1.0, 4.0], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
