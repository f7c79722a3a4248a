"""Any program's Triton kernels are run and checked with no GPU: `eagerdiff sanitize`, `pytest --eagerdiff-sanitize`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "sanitized.py"
LINES = PROGRAM.read_text(encoding="utf-8").splitlines()


def sanitize(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "sanitize", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)


def line_of(text: str) -> str:
    """Return `file:line` of the only line that has a text."""
    (number,) = (number for number, line in enumerate(LINES, 1) if text in line)
    return f"{PROGRAM}:{number}"


def test_each_wrong_is_told_once_with_the_kernels_line_and_the_launchs(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    ended = sanitize(f"--json={found}", str(PROGRAM), "wrong")
    assert ended.returncode == 1, ended.stderr
    seen = [
        (one["kind"], one["kernel"], one["line"], one["what"])
        for one in json.loads(found.read_text(encoding="utf-8"))["findings"]
    ]
    counted = line_of("tl.store(o_ptr, tl.load(o_ptr) + 1)")
    assert set(seen) == {
        ("outside", "add_kernel", line_of("mask=at < stored"), "store outside `o_ptr`"),
        ("uninitialised", "add_kernel", line_of("mask=at < stored"), "load of `x_ptr` that nothing has written"),
        ("race", "count_kernel", counted, "load of `o_ptr` that another program touches too"),
        ("race", "count_kernel", counted, "store of `o_ptr` that another program touches too"),
        ("overflow", "stride_kernel", line_of("at = row * stride"), "int32 wraps around in mul"),
        ("outside", "stride_kernel", line_of("tl.store(o_ptr + at, row"), "store outside `o_ptr`"),
        ("overflow", "step_kernel", line_of("at += stride"), "int32 wraps around in add"),
        ("assertion", "assert_kernel", line_of("tl.device_assert"), "assertion fails: n is below 3"),
    }
    assert len(seen) == len(set(seen))
    assert "element 100 of 100, program (1, 0, 0)" in ended.stderr
    assert line_of("add_kernel[") in ended.stderr
    # It ends as it would on a GPU, and as Python tells it: by its own frames.
    assert "KernelFault" in ended.stderr
    assert "runpy" not in ended.stderr
    assert re.search(r"eagerdiff: \d+ findings in 6 launches of 5 kernels", ended.stderr)


@pytest.mark.slow
def test_lines_are_told_where_the_source_is_now(tmp_path: Path) -> None:
    for folder in ("one", "other"):  # what is compiled for the first is taken from Triton's cache for the second
        copy = tmp_path / folder / "sanitized.py"
        copy.parent.mkdir()
        copy.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
        assert f"in `add_kernel` at {copy}:" in sanitize(str(copy), "wrong").stderr


@pytest.mark.parametrize("seed", [0, 3])
def test_what_is_right_runs_as_on_a_gpu_and_nothing_is_told(seed: int) -> None:
    ended = sanitize(f"--seed={seed}", str(PROGRAM), "right", "--overflow")
    assert (ended.returncode, ended.stdout) == (0, "all is right --overflow\n"), ended.stderr
    assert ended.stderr.endswith("eagerdiff: nothing found in 5 launches of 4 kernels\n")


@pytest.mark.slow
def test_overflows_may_be_left_out() -> None:
    ended = sanitize("--no-overflow", str(PROGRAM), "wrong")
    assert "overflow:" not in ended.stderr
    assert "outside: store outside `o_ptr` in `stride_kernel`" in ended.stderr


VIEWS = """
import torch
from sanitized import add_kernel

x, out = torch.arange(8.0, device="cuda"), torch.zeros(8, device="cuda")
add_kernel[(1,)](x[2:3], out[:1].as_strided((1,), (1,)), 4, 4, BLOCK=8)
assert out.tolist() == [3, 4, 5, 6, 0, 0, 0, 0]
if OUTSIDE:
    add_kernel[(1,)](x[2:3], out, 7, 7, BLOCK=8)
"""


@pytest.mark.parametrize("outside", [False, True])
def test_what_a_kernel_reaches_beyond_a_view_is_done_and_noted(outside: bool, tmp_path: Path) -> None:
    (tmp_path / "views.py").write_text(VIEWS.replace("OUTSIDE", str(outside)), encoding="utf-8")
    ended = sanitize(f"--json={tmp_path / 'found.json'}", str(tmp_path / "views.py"), PYTHONPATH=str(PROGRAM.parent))
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert ended.returncode == outside, ended.stderr
    assert {(one["kind"], one["what"]) for one in found["notes"]} == {
        ("beyond", "load beyond the view `x_ptr`, within its storage"),
        ("beyond", "store beyond the view `o_ptr`, within its storage"),
    }
    assert [one["what"] for one in found["findings"]] == ["load outside `x_ptr`"] * outside
    assert "note: beyond: " in ended.stderr
    assert f"eagerdiff: {'1 finding' if outside else 'nothing found'} in " in ended.stderr


REGISTERED = """
import torch, triton, triton.language as tl

@triton.jit
def negate_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(o_ptr + at, -x, mask=at <= n)

calls = []

def negate(x):
    calls.append(x.device.type)
    out = torch.empty_like(x)  # not one of ours: made where x is
    assert out.is_cuda
    negate_kernel[(1,)](x, out, x.numel(), BLOCK=16)
    return out

def ones(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    calls.append(torch.device(device).type)
    return torch.full(size, 1.0, device=device)

x = torch.arange(5.0)
library = torch.library.Library("aten", "IMPL")
library.impl("neg", negate, "CUDA")
library.impl("ones", ones, dispatch_key="CUDA")
assert torch.equal(x.neg(), 0 - x) and torch.equal(torch.ones(2), torch.full((2,), 1.0))
assert calls == []
there = x.cuda().requires_grad_()
negated = there.neg()
assert negated.is_cuda and torch.equal(negated.detach().cpu(), 0 - x)
(negated * negated).sum().backward()
assert torch.equal(there.grad.cpu(), 2 * x)
assert torch.ones(2, device="cuda").is_cuda
assert calls == ["cuda"] * 3, calls  # the second one is of the gradient
library._destroy()
x.cuda().neg()
assert calls == ["cuda"] * 3, calls
"""


@pytest.mark.slow
def test_what_a_program_registers_for_a_gpu_is_called_there(tmp_path: Path) -> None:
    (tmp_path / "registering.py").write_text(REGISTERED, encoding="utf-8")
    ended = sanitize(str(tmp_path / "registering.py"))
    assert "Error" not in ended.stderr
    assert "outside: store outside `o_ptr` in `negate_kernel`" in ended.stderr
    assert ended.stderr.endswith("1 finding in 2 launches of 1 kernel\n")


LIBRARY = """
import contextlib, torch, triton, triton.language as tl

@triton.jit
def negate_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, -tl.load(x_ptr + at, mask=at < n), mask=at <= n)

def negate(x):  # of two dims at most as eager does it
    if x.ndim > 2:
        raise NotImplementedError("three dims")
    out = torch.empty_like(x)
    negate_kernel[(1,)](x, out, x.numel(), BLOCK=triton.next_power_of_2(x.numel() + 1))
    return out

@contextlib.contextmanager
def mine():
    library = torch.library.Library("aten", "IMPL")
    library.impl("neg", negate, "CUDA")
    library.impl("reciprocal", lambda x: x + 1, "CUDA")
    yield
    library._destroy()
"""


def test_a_library_is_held_against_torch_over_torchs_table(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(LIBRARY, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "eagerdiff.harness.sanitizer.library",
        "library:mine",
        "neg",
        "reciprocal",
        "add",
    ]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "EAGERDIFF_SAMPLES": "3"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    said = ended.stdout.splitlines()
    assert any(line.startswith("outside: store outside `o_ptr` in `negate_kernel`") for line in said), ended.stdout
    assert any(line.startswith("wrong: reciprocal float32: ") for line in said), ended.stdout
    assert not any(line.startswith("wrong: neg ") for line in said), ended.stdout
    assert said[-1].endswith("of 2 entries, which call 2 of what is registered; 0 took longer than 60 s")


GPU_ONLY = """
import torch

x, y = torch.randn(4, 8, device="cuda").half(), torch.randn(8, 4, device="cuda").half()
wanted = x.float() @ y.float()
wide = {"out_dtype": torch.float32}
for found in (torch.mm(x, y, **wide), torch.mm(x, y, **wide, out=torch.empty_like(wanted))):
    assert found.is_cuda and found.dtype == torch.float32
    torch.testing.assert_close(found, wanted)
added = torch.addmm(wanted, x, y, **wide, alpha=2.0)
torch.testing.assert_close(added, 3 * wanted)
"""


def test_what_torch_has_for_a_gpu_alone_is_computed(tmp_path: Path) -> None:
    (tmp_path / "products.py").write_text(GPU_ONLY, encoding="utf-8")
    ended = sanitize(str(tmp_path / "products.py"))
    assert (ended.returncode, ended.stderr) == (0, "eagerdiff: no Triton kernel was launched\n")


AS_ON_A_GPU = """
import torch, triton, triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

x = torch.ones(8, device="cuda")
assert torch.empty_like(x, device=0).is_cuda  # a device by its number

@torch.library.custom_op("anybody::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    assert x.is_cuda and x.device.index == 0
    return torch.empty_like(x).copy_(2 * x)

assert twice(x).is_cuda

one = torch.tensor(2.0, device="cuda")
assert not torch.addr(torch.ones(2, 3), torch.ones(2), torch.ones(3), alpha=one).is_cuda
assert torch.stack([one, one]).is_cuda

generator = torch.cuda.default_generators[x.device.index]
state = generator.get_state()
seed, offset = state.view(torch.int64).tolist()
state.view(torch.int64)[1] = offset + 4
generator.set_state(state)
assert generator.device == x.device and generator.get_state().view(torch.int64).tolist() == [seed, offset + 4]
torch.cuda.set_stream(torch.cuda.Stream())

@triton.jit
def total(x, out, B: tl.constexpr):
    gdc_wait()
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, B))))
    gdc_launch_dependents()

kernel = total.warmup(x, x, B=8, grid=(1,))
kernel._init_handles()
assert 100_000 // kernel.metadata.shared and 60_000 // kernel.n_regs  # how many programs fit, as programs ask
out = torch.zeros(1, device="cuda")
total[(1,)](x, out, B=8)
assert out.item() == 8
"""


def test_what_programs_ask_of_a_gpu_is_answered_as_there(tmp_path: Path) -> None:
    (tmp_path / "asking.py").write_text(AS_ON_A_GPU, encoding="utf-8")
    ended = sanitize(str(tmp_path / "asking.py"))
    assert (ended.returncode, ended.stderr) == (0, "eagerdiff: nothing found in 1 launch of 1 kernel\n")


TESTS = """
import torch, triton, triton.language as tl
from sanitized import add, count_kernel

@triton.jit
def assembled(x_ptr):
    x = tl.load(x_ptr)
    tl.store(x_ptr, tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1))

def test_right():
    x = torch.ones(100, device="cuda")
    torch.testing.assert_close(add(x, 100, 100), x + 1)

def test_outside():
    add(torch.ones(100, device="cuda"), 100, 101)

def test_outside_again():
    add(torch.ones(100, device="cuda"), 100, 101)

def test_race_and_a_wrong_value():
    counts = torch.zeros(1, dtype=torch.int32, device="cuda")
    count_kernel[(4,)](counts, ATOMIC=False)
    assert counts.item() == 5

def test_assembly():
    assembled[(1,)](torch.zeros(1, dtype=torch.int32, device="cuda"))
"""


def test_a_test_fails_by_what_its_kernels_do_wrong(tmp_path: Path) -> None:
    (tmp_path / "test_kernels.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("import torch, triton\nassert torch.cuda.is_available()\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-v", "-rs"]
    ended = subprocess.run(
        [*command, "--eagerdiff-sanitize", "test_kernels.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PROGRAM.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = dict(re.findall(r"::(test_\w+) (\w+)", ended.stdout))
    assert said == {
        "test_right": "PASSED",
        "test_outside": "FAILED",
        "test_outside_again": "FAILED",
        "test_race_and_a_wrong_value": "FAILED",
        "test_assembly": "SKIPPED",
    }, ended.stdout
    assert ended.stdout.count("outside: store outside `o_ptr` in `add_kernel`") == 3  # two tests, and the summary
    assert "assert 4 == 5" in ended.stdout
    assert "race: store of `o_ptr`" in ended.stdout
    assert "not compiled: tt.elementwise_inline_asm" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no_such.py",), "eagerdiff: no such script: no_such.py (a module is run with -m)\n"),
        ((), "eagerdiff: Missing argument 'SCRIPT'. (see eagerdiff --help)\n"),
        (("--json=/", str(PROGRAM)), "eagerdiff: / is a folder, not a file\n"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    ended = sanitize(*arguments)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", message)


def test_a_program_ends_as_it_wants(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(7)\n", encoding="utf-8")
    ended = sanitize("-m", "leaving", PYTHONPATH=str(tmp_path))
    assert (ended.returncode, ended.stderr) == (7, "eagerdiff: no Triton kernel was launched\n")
