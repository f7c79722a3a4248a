"""TensorRT, of a model that torch.onnx exports: a plan for each set of shapes, kept for the next call of those."""

from collections.abc import Callable, Mapping, Sequence

import torch
from profiles import Profile
from tensorrt_engine import Plan, build
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Export a program to ONNX; a plan is built when it is called.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    onnx = model.model_proto
    names, outputs = ([one.name for one in side] for side in (onnx.graph.input, onnx.graph.output))
    plans: dict[tuple[torch.Size, ...], Plan] = {}

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        shapes = tuple(tensor.shape for tensor in tensors)
        if shapes not in plans:
            alike = [Profile(shape, shape, shape, one.dtype) for shape, one in zip(shapes, tensors, strict=True)]
            plans[shapes] = build(onnx.SerializeToString(), names, alike)
        return plans[shapes].run(tensors, outputs)

    return call, lambda: {"bytes": sum(plan.size for plan in plans.values()), "artifacts": len(plans)}
