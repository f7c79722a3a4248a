# engines, executorch_xnnpack.bounded on cpu: RAISED EngineError: executorch_xnnpack raised RuntimeError at call: [tensor_util_portable.cpp:130] Check failed (all_contiguous || all_channels_last): 2 input tensors have different dim orders
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_SB, y_BS):
    return torch.tanh(x_SB.t() + y_BS) * y_BS[:, :1]
example = (torch.zeros([5, 13], dtype=torch.float32).as_strided([13, 5], [1, 13], 0), torch.zeros([13, 5], dtype=torch.float32).as_strided([5, 13], [1, 5], 0))
seq = torch.export.Dim('seq', min=3, max=16)
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: seq, 1: batch}, {0: batch, 1: seq}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
    lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()
    method = Runtime.get().load_program(lowered.buffer).load_method('forward')

    def call(*tensors):
        return [one.clone() for one in method.execute([tensor.contiguous() for tensor in tensors])]
    return (call, lambda: {'bytes': len(lowered.buffer), 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-0.3021714389324188, 1.332564353942871, 1.6983284950256348, 2.9921975135803223, 0.32304129004478455, 0.005902361590415239, 0.28834816813468933, 1.7332340478897095, -0.5492285490036011, 0.18718282878398895, -0.8035778403282166, 1.9461472034454346, -2.696347236633301, 0.16899274289608002, -0.027424337342381477, 1.9948853254318237, -1.4682265520095825, 1.5864826440811157, 0.9240239262580872, -0.7950015068054199, -0.5922644734382629, 0.7927926778793335, 1.4774179458618164, -0.522060215473175, -0.9965016841888428, 0.05882706493139267, -0.203533336520195, -0.7022708654403687, -0.21632486581802368, -0.3195420205593109, -0.7893006801605225, 0.9643556475639343, 0.31359291076660156, -0.7583056092262268, 1.032190203666687, 0.5739249587059021, -1.1583642959594727, -2.2507970333099365, -0.37138399481773376, -0.8776131272315979, -0.4448067247867584, 0.5429542064666748, 2.299081563949585, 1.369179606437683, -0.2349161058664322], dtype=torch.float32).as_strided((5, 9), (1, 5)).data, torch.tensor([0.11434955894947052, -0.9213079810142517, -0.7209078669548035, 0.010775238275527954, -1.661178708076477, 1.948747992515564, 0.7759885191917419, -0.7263500094413757, -0.38645583391189575, -0.021101655438542366, 0.5979714393615723, -1.7063372135162354, 0.9486607909202576, -1.320926308631897, 2.0783512592315674, 2.394407272338867, -0.09012488275766373, 1.1640220880508423, -0.13660234212875366, 1.378591537475586, 0.5785853862762451, -1.541574478149414, 0.5161197185516357, 0.5368412733078003, 0.1829858273267746, -0.20331287384033203, -0.4304540753364563, 1.564688801765442, 0.7482568025588989, -0.6944388747215271, 0.12146438658237457, -0.18561702966690063, 0.9815828204154968, -0.8237461447715759, -0.47747233510017395, -1.0200401544570923, 1.9151508808135986, -0.44450443983078003, -1.523890733718872, -2.0112364292144775, -1.0459445714950562, -1.2697255611419678, 1.720954418182373, -1.1085792779922485, 0.10156089067459106], dtype=torch.float32).as_strided((9, 5), (1, 9)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
