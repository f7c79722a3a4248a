# engines, openvino_compile.named on cpu: CRASHED EngineEnded: openvino_compile: its process ended (signal 8) at call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(ids_B, table_VD):
    distinct_U, inverse_B, count_U = torch.unique(ids_B, return_inverse=True, return_counts=True)
    rows_UD = table_VD[distinct_U] * 0.5
    return (distinct_U, count_U, rows_UD[inverse_B])
example = (torch.zeros([5], dtype=torch.int64), torch.zeros([16, 1], dtype=torch.float32))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from torch.utils import _pytree as pytree
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from openvino.frontend.pytorch.torchdynamo.backend import openvino
    options = {'device': 'CPU', 'config': {'INFERENCE_NUM_THREADS': 1, 'INFERENCE_PRECISION_HINT': 'f32'}}
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph, inputs):
        graphs.append(graph)
        return openvino(graph, inputs, options=options)
    compiled: Any = torch.compile(program.module(), backend=backend, dynamic=True)

    def call(*tensors):
        return pytree.tree_leaves(compiled(*tensors))
    return (call, lambda: {'artifacts': len(graphs)})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

calls = [
    ((torch.tensor([11], dtype=torch.int64), torch.tensor([0.3629418611526489, 0.6433249711990356, 0.39745277166366577, 1.024422287940979, -0.40282556414604187, 1.2582191228866577, 0.02075589820742607, 0.6278575658798218, 1.3943666219711304, 0.7827747464179993, -0.5245918035507202, -1.335607886314392, 1.2949317693710327, 1.602162480354309, -2.751936674118042, 0.6437274813652039], dtype=torch.float32).reshape((16, 1)).data, ), {}),
    ((torch.tensor([13, 2, 12, 10, 0, 10, 10, 10, 2, 9, 2, 13, 6, 6, 0, 13], dtype=torch.int64), torch.tensor([1.4951385259628296, -0.4064265191555023, -0.14990223944187164, 0.5459055304527283, -0.3288382589817047, -0.08128649741411209, 1.251432180404663, 0.49875056743621826, 0.8338474035263062, 0.7802841067314148, -1.0011180639266968, -0.31126660108566284, 1.7338517904281616, -1.9138576984405518, -0.23416288197040558, 2.384960412979126], dtype=torch.float32).reshape((16, 1)).data, ), {}),
    ((torch.tensor([11], dtype=torch.int64), torch.tensor([0.3629418611526489, 0.6433249711990356, 0.39745277166366577, 1.024422287940979, -0.40282556414604187, 1.2582191228866577, 0.02075589820742607, 0.6278575658798218, 1.3943666219711304, 0.7827747464179993, -0.5245918035507202, -1.335607886314392, 1.2949317693710327, 1.602162480354309, -2.751936674118042, 0.6437274813652039], dtype=torch.float32).reshape((16, 1)).data, ), {}),
    ((torch.tensor([15, 9, 15, 9, 15, 9, 9, 9, 9, 15, 15, 15, 15, 15, 15, 15, 9], dtype=torch.int64), torch.tensor([-0.2393554300069809, 1.0652437210083008, -1.9234058856964111, 2.2993714809417725, 1.195592999458313, -0.8419403433799744, 1.8853083848953247, -0.027362234890460968, 1.3982237577438354, 0.5603317618370056, 0.7613436579704285, -0.33840689063072205, -0.6007876992225647, 0.2111625224351883, -0.09615836292505264, 0.6681831479072571], dtype=torch.float32).reshape((16, 1)).data, ), {}),
    ((torch.tensor([], dtype=torch.int64), torch.tensor([-1.4507957696914673, -0.09567711502313614, 1.7370229959487915, 0.1752193123102188, -0.4413074254989624, 0.25376492738723755, 0.7180918455123901, -0.8444951772689819, 0.19188439846038818, -0.9107341766357422, -0.5879279971122742, 0.1319287121295929, 0.4454447329044342, -0.2843649387359619, -0.611274242401123, -0.9141374826431274], dtype=torch.float32).reshape((16, 1)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
