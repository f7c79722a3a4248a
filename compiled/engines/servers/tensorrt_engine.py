# pyright: reportMissingImports=false
"""TensorRT, of a model that torch.onnx exports: one plan, with one profile of the least, the middle and the most."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from profiles import Profile, profiles
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]
DEVICE = "cuda"


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Export a program to ONNX, and build a plan for the ranges that it declares.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    onnx = model.model_proto
    plan = build(onnx.SerializeToString(), [one.name for one in onnx.graph.input], [*profiles(program).values()])
    names = [one.name for one in onnx.graph.output]
    return lambda *tensors: plan.run(tensors, names), lambda: {"bytes": plan.size, "artifacts": 1}


def build(model: bytes, names: Sequence[str], shapes: Sequence[Profile]) -> "Plan":
    """Build the plan of a model whose inputs, by name, have shapes within profiles; raise ValueError."""
    import tensorrt

    logger = tensorrt.Logger(tensorrt.Logger.ERROR)
    builder = tensorrt.Builder(logger)
    network = builder.create_network(0)
    parser = tensorrt.OnnxParser(network, logger)
    if not parser.parse(model):
        raise ValueError("; ".join(str(parser.get_error(at)) for at in range(parser.num_errors)))
    profile, config = builder.create_optimization_profile(), builder.create_builder_config()
    for name, shape in zip(names, shapes, strict=True):
        profile.set_shape(name, shape.least, shape.middle, shape.most)
    config.add_optimization_profile(profile)
    config.clear_flag(tensorrt.BuilderFlag.TF32)
    serialised = builder.build_serialized_network(network, config)
    if serialised is None:
        raise ValueError("TensorRT builds no plan, and says why in its log")
    return Plan(tensorrt, tensorrt.Runtime(logger).deserialize_cuda_engine(serialised), names, serialised.nbytes)


class Plan:
    """Run a plan."""

    def __init__(self, tensorrt: Any, engine: Any, names: Sequence[str], size: int) -> None:
        self._context, self._names, self.size = engine.create_execution_context(), names, size
        self._dtypes = {
            getattr(tensorrt, ours): theirs
            for ours, theirs in {
                "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16,
                "int64": torch.int64, "int32": torch.int32, "int8": torch.int8, "bool": torch.bool,
            }.items()
        }  # fmt: skip
        self._engine = engine
        self._allocator = _allocator(tensorrt)

    def run(self, tensors: Sequence[Tensor], outputs: Sequence[str]) -> list[Tensor]:
        """Return the outputs of tensors of any shapes, by name; raise ValueError for one outside of the profile."""
        given = [tensor.contiguous().to(DEVICE) for tensor in tensors]
        for name, tensor in zip(self._names, given, strict=True):
            if not self._context.set_input_shape(name, tuple(tensor.shape)):
                raise ValueError(f"TensorRT refuses {name} of shape {[*tensor.shape]}: it is outside of the profile")
            self._context.set_tensor_address(name, tensor.data_ptr())
        for name in outputs:
            self._context.set_output_allocator(name, self._allocator)
        stream = torch.cuda.current_stream().cuda_stream if DEVICE == "cuda" else 0
        if not self._context.execute_async_v3(stream):
            raise ValueError("TensorRT does not run the plan, and says why in its log")
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        return [self._output(name).cpu() for name in outputs]

    def _output(self, name: str) -> Tensor:
        dtype, shape = self._dtypes[self._engine.get_tensor_dtype(name)], self._allocator.shapes[name]
        size = torch.Size(shape).numel() * dtype.itemsize
        return self._allocator.memory[name][:size].view(dtype).view(shape)


def _allocator(tensorrt: Any) -> Any:
    """Return what TensorRT asks for an output's memory once it knows its size, and tells its shape."""

    class Allocator(tensorrt.IOutputAllocator):
        def __init__(self) -> None:
            super().__init__()
            self.memory: dict[str, Tensor] = {}
            self.shapes: dict[str, tuple[int, ...]] = {}

        def reallocate_output_async(self, name: str, memory: int, size: int, alignment: int, stream: int) -> int:
            """Return the address of as many bytes."""
            self.memory[name] = torch.empty(max(1, size), dtype=torch.uint8, device=DEVICE)
            return self.memory[name].data_ptr()

        def notify_shape(self, name: str, shape: Sequence[int]) -> None:
            """Keep an output's shape."""
            self.shapes[name] = tuple(shape)

    return Allocator()
