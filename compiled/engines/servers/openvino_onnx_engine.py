# pyright: reportMissingImports=false
"""OpenVINO, from a model that torch.onnx exports."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Export a program to ONNX with its dynamic axes, convert that, and compile it for the CPU.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    import openvino

    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    core = openvino.Core()
    core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        model.save(str(path))
        compiled = core.compile_model(openvino.convert_model(path), "CPU")

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        given = [openvino.Tensor(tensor.contiguous().numpy(), tensor.shape) for tensor in tensors]
        found = compiled(given)
        return [torch.from_numpy(found[port].copy()) for port in compiled.outputs]

    return call, lambda: {"bytes": compiled.export_model().getbuffer().nbytes, "artifacts": 1}
