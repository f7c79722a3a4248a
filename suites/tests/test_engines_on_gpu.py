"""Engines that need a GPU: their adapters run over stand-ins, which refuse what the real ones do."""

import importlib
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from eagerdiff.compiled.engines.engine import of_export, of_torchscript
from eagerdiff.compiled.engines.session import SERVERS


class Scaled(nn.Module):
    """Double a tensor."""

    def forward(self, x: Tensor) -> Tensor:
        """Return twice x, [B, 3]."""
        return 2 * x


@pytest.fixture
def program() -> torch.export.ExportedProgram:
    """Return it, of 3 to 16 rows."""
    rows = torch.export.Dim("rows", min=3, max=16)
    return torch.export.export(Scaled(), (torch.ones(5, 3),), dynamic_shapes=({0: rows},))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Return what imports a server's module afresh, as its process does."""
    monkeypatch.syspath_prepend(str(SERVERS))
    before = {*sys.modules}
    yield importlib.import_module
    for name in {*sys.modules} - before:
        if name.endswith("_engine") or name == "profiles":
            del sys.modules[name]


class Model(NamedTuple):
    """Stand for what torch.onnx.export returns: `graph` names inputs and outputs."""

    graph: Any

    @property
    def model_proto(self) -> "Model":
        """Return itself."""
        return self

    def SerializeToString(self) -> bytes:
        """Return something."""
        return b"doubles"


def onnx(*args: Any, **asked: Any) -> Model:
    """Stand for torch.onnx.export."""
    names = types.SimpleNamespace(
        input=[types.SimpleNamespace(name="x")], output=[types.SimpleNamespace(name="y")], node=[]
    )
    return Model(names)


class TensorRT(types.ModuleType):
    """Stand for the package tensorrt: a plan doubles, and refuses shapes outside of its profile."""

    float32 = "FLOAT"
    float16 = "HALF"
    bfloat16 = "BF16"
    int64 = "INT64"
    int32 = "INT32"
    int8 = "INT8"
    bool = "BOOL"

    def __init__(self) -> None:
        super().__init__("tensorrt")
        self.__spec__ = ModuleSpec("tensorrt", None)  # torch asks whether it is there
        self.built: list[tuple[tuple[int, ...], ...]] = []
        self.parses = True

        class Logger:
            ERROR = 1

            def __init__(self, level: int) -> None:
                assert level == Logger.ERROR

        class Profile:
            def set_shape(self, name: str, least: Any, middle: Any, most: Any) -> None:
                self.shapes = {name: (least, middle, most)}

        class Config:
            def add_optimization_profile(self, profile: Profile) -> None:
                self.profile = profile

            def clear_flag(self, flag: str) -> None:
                assert flag == "TF32"

        class Builder:
            def __init__(self, logger: Logger) -> None: ...

            def create_network(self, flags: int) -> str:
                return "network"

            create_optimization_profile = staticmethod(Profile)
            create_builder_config = staticmethod(Config)

            def build_serialized_network(self, network: str, config: Config) -> Any:
                ours.built.append(config.profile.shapes["x"])
                return types.SimpleNamespace(nbytes=100, profile=config.profile)

        class OnnxParser:
            num_errors = 1

            def __init__(self, network: str, logger: Logger) -> None: ...

            def parse(self, model: bytes) -> bool:
                return ours.parses

            def get_error(self, at: int) -> str:
                return "no plugin"

        class Context:
            def __init__(self, profile: Profile) -> None:
                self._profile = profile
                self._at: dict[str, int] = {}

            def set_input_shape(self, name: str, shape: tuple[int, ...]) -> bool:
                least, _, most = self._profile.shapes[name]
                self._shape = shape
                return all(low <= size <= high for low, size, high in zip(least, shape, most, strict=True))

            def set_tensor_address(self, name: str, address: int) -> None:
                self._at[name] = address

            def set_output_allocator(self, name: str, allocator: Any) -> None:
                self._allocator = allocator

            def execute_async_v3(self, stream: int) -> bool:
                size = 4 * torch.Size(self._shape).numel()
                address = self._allocator.reallocate_output_async("y", 0, size + 8, 256, stream)  # more than it needs
                _memory(address, size).copy_(2 * _memory(self._at["x"], size))
                self._allocator.notify_shape("y", self._shape)
                return True

        class Engine:
            def __init__(self, profile: Profile) -> None:
                self._profile = profile

            def create_execution_context(self) -> Context:
                return Context(self._profile)

            def get_tensor_dtype(self, name: str) -> str:
                return "FLOAT"

        class Runtime:
            def __init__(self, logger: Logger) -> None: ...

            def deserialize_cuda_engine(self, plan: Any) -> Engine:
                return Engine(plan.profile)

        ours = self
        self.Logger, self.Builder, self.OnnxParser, self.Runtime = Logger, Builder, OnnxParser, Runtime
        self.BuilderFlag = types.SimpleNamespace(TF32="TF32")
        self.IOutputAllocator = object


def _memory(address: int, size: int) -> Tensor:
    """Return float32 numbers that lie at an address, [size / 4]."""
    import ctypes

    return torch.frombuffer((ctypes.c_char * size).from_address(address), dtype=torch.float32)


@pytest.fixture
def tensorrt(monkeypatch: pytest.MonkeyPatch) -> TensorRT:
    """Stand in for tensorrt and for the export to ONNX."""
    found = TensorRT()
    monkeypatch.setitem(sys.modules, "tensorrt", found)
    monkeypatch.setattr(torch.onnx, "export", onnx)
    return found


def test_a_plan_has_the_profile_that_the_program_declares_and_refuses_the_rest(
    tensorrt: TensorRT, server: Callable[[str], Any], program: torch.export.ExportedProgram, monkeypatch: Any
) -> None:
    module = server("tensorrt_engine")
    monkeypatch.setattr(module, "DEVICE", "cpu")
    call, told = module.make(program)
    assert tensorrt.built == [((3, 3), (9, 3), (16, 3))]
    for rows in (3, 5, 16, 4):
        x = torch.randn(rows, 3)
        assert torch.equal(call(x)[0], 2 * x)
    for rows in (2, 17):
        with pytest.raises(ValueError, match=r"refuses x of shape \[\d+, 3\]: it is outside of the profile"):
            call(torch.ones(rows, 3))
    assert told() == {"bytes": 100, "artifacts": 1}


@pytest.mark.parametrize(
    ("text", "replacement"),
    [
        ("shape.least, shape.middle, shape.most)", "shape.least, shape.middle, shape.middle)"),
        ("if not self._context.set_input_shape(", "if self._context.set_input_shape("),
        ("self._allocator.memory[name][:size]", "self._allocator.memory[name]"),
        ("self._allocator.shapes[name]\n", "vars(self).setdefault('kept', self._allocator.shapes[name])\n"),
        ("[self._output(name).cpu()", "[self._output(name).cpu().double()"),
    ],
    ids=["a profile off by one", "a shape not told", "a tail not cut", "a stale shape", "a dtype lost"],
)
def test_a_fault_in_the_adapter_is_seen(
    text: str,
    replacement: str,
    tensorrt: TensorRT,
    server: Callable[[str], Any],
    program: torch.export.ExportedProgram,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = server("tensorrt_engine")
    source = (SERVERS / "tensorrt_engine.py").read_text()
    assert source.count(text) == 1
    exec(compile(source.replace(text, replacement), "spoilt", "exec"), vars(module))
    monkeypatch.setattr(module, "DEVICE", "cpu")
    call, _ = module.make(program)

    def right(rows: int) -> bool:
        x = torch.randn(rows, 3)
        try:
            found = call(x)[0]
        except (ValueError, RuntimeError):
            return False
        return found.dtype is x.dtype and torch.equal(found, 2 * x)

    assert not all(map(right, (5, 16, 3)))


def test_what_tensorrt_does_not_parse_is_told(
    tensorrt: TensorRT, server: Callable[[str], Any], program: torch.export.ExportedProgram
) -> None:
    tensorrt.parses = False
    with pytest.raises(ValueError, match="no plugin"):
        server("tensorrt_engine").make(program)


def test_a_static_plan_is_of_one_shape_and_kept(
    tensorrt: TensorRT, server: Callable[[str], Any], program: torch.export.ExportedProgram, monkeypatch: Any
) -> None:
    module = server("tensorrt_static_engine")
    monkeypatch.setattr(sys.modules["tensorrt_engine"], "DEVICE", "cpu")
    call, told = module.make(program)
    for rows in (5, 16, 5):
        x = torch.randn(rows, 3)
        assert torch.equal(call(x)[0], 2 * x)
    assert tensorrt.built == [((rows, 3),) * 3 for rows in (5, 16)]
    assert told() == {"bytes": 200, "artifacts": 2}


def test_torch_tensorrt_has_an_input_of_the_declared_range(
    server: Callable[[str], Any], program: torch.export.ExportedProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def compile_program(asked: torch.export.ExportedProgram, arg_inputs: Sequence[Any], **options: Any) -> nn.Module:
        given.extend(arg_inputs)
        return nn.Sequential(OrderedDict(_run_on_acc_0=Scaled()))

    stand_in = types.ModuleType("torch_tensorrt")
    monkeypatch.setattr(stand_in, "Input", types.SimpleNamespace, raising=False)
    monkeypatch.setattr(stand_in, "dynamo", types.SimpleNamespace(compile=compile_program), raising=False)
    monkeypatch.setitem(sys.modules, "torch_tensorrt", stand_in)
    module = server("torch_tensorrt_engine")
    monkeypatch.setattr(module, "DEVICE", "cpu")
    call, told = module.make(program)
    (one,) = given
    assert (one.min_shape, one.opt_shape, one.max_shape, one.dtype) == ((3, 3), (9, 3), (16, 3), torch.float32)
    x = torch.randn(4, 3)
    assert torch.equal(call(x)[0], 2 * x)
    assert told() == {"artifacts": 1}


def test_a_profile_needs_the_largest_size(server: Callable[[str], Any]) -> None:
    rows = torch.export.Dim("rows")
    endless = torch.export.export(Scaled(), (torch.ones(5, 3),), dynamic_shapes=({0: rows},))
    with pytest.raises(ValueError, match=r"a profile needs the largest size, and .+ has none"):
        server("profiles").profiles(endless)


def test_bladedisc_gets_a_trace_and_its_example(
    server: Callable[[str], Any], program: torch.export.ExportedProgram, monkeypatch: Any, tmp_path: Path
) -> None:
    given: list[Any] = []

    def optimize(module: Any, allow_tracing: bool, model_inputs: Any) -> Any:
        given.append((allow_tracing, model_inputs))
        return module

    stand_in = types.ModuleType("torch_blade")
    stand_in.optimize = optimize  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "torch_blade", stand_in)
    saved = of_torchscript(program, (torch.ones(5, 3),))
    (tmp_path / f"program{saved.suffix}").write_bytes(saved.data)
    loaded: Any = torch.jit.load(tmp_path / f"program{saved.suffix}")
    module = server("bladedisc_engine")
    monkeypatch.setattr(module, "DEVICE", "cpu")
    call, told = module.make(loaded, *saved.example)
    assert [one.shape for one in given[0][1]] == [(5, 3)]
    for rows in (5, 1, 9):
        x = torch.randn(rows, 3)
        assert torch.equal(call(x)[0], 2 * x)
    assert told() == {"artifacts": 1}


@pytest.mark.parametrize(("name", "provider"), [("cuda", "CUDA"), ("tensorrt", "Tensorrt")])
def test_onnx_runtime_is_asked_for_the_provider(name: str, provider: str, server: Callable[[str], Any]) -> None:
    assert server(f"onnxruntime_{name}_engine").make.keywords == {"provider": f"{provider}ExecutionProvider"}


def test_a_program_crosses_as_torch_saves_it(program: torch.export.ExportedProgram, tmp_path: Path) -> None:
    saved = of_export(program, (torch.ones(5, 3),))
    (tmp_path / f"program{saved.suffix}").write_bytes(saved.data)
    found = torch.export.load(tmp_path / f"program{saved.suffix}").module()(torch.ones(7, 3))
    assert torch.equal(found, 2 * torch.ones(7, 3))
