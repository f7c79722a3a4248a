"""What Triton's language has, on the host device, and on a GPU where there is one: held against torch."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from eagerdiff.harness.internals.releases import release
from eagerdiff.suites.tests.device_process import EVERY, run_on

KERNELS = "eagerdiff.suites.tests.host_operations"
COMPILING = pytest.mark.parametrize(
    "device",
    [pytest.param(name, marks=[pytest.mark.cuda] * (name == "cuda")) for name in EVERY if name != "interpreted"],
)
SIZE = 256
X = torch.randn(SIZE, generator=torch.Generator().manual_seed(0))


def padded(*parts: torch.Tensor) -> torch.Tensor:
    """Return the parts one after another, and zeros behind."""
    found = torch.cat([part.flatten().float() for part in parts])
    return F.pad(found, (0, SIZE - len(found)))


def atomics() -> torch.Tensor:
    most, least = X.view(-1, 8).amax(0).clamp(min=0), X.view(-1, 2).amin(0).clamp(max=0)
    return padded(most, torch.tensor([3.0]), least, torch.zeros(1), torch.ones(1))


def combined() -> torch.Tensor:
    found = X.cumsum(0) + X.cummax(0).values
    return torch.cat([X.sum()[None], X.max()[None], found[2:]])


def functions() -> torch.Tensor:
    at = torch.arange(SIZE)
    one = X.clamp(-0.5, 0.5) + X.sigmoid() + X.softmax(0) + X.floor() + (at + 2) // 3 + (X * X + X)
    two = X.abs().sqrt() + X / 3 + X.erf() + X.cos() + X.exp2() + (X * X + 1).rsqrt()
    return one + two + (X.abs() + 1).log2()


def library() -> torch.Tensor:
    lowest = torch.tensor([(number & -number).bit_length() for number in range(SIZE)])
    return X.tanh() + X.abs().pow(1.5) + (X / 8).erfinv() + X.abs().log1p() + lowest


def small_product() -> torch.Tensor:
    a = (X * 50).short().to(torch.int8).view(8, 32).float()
    return a @ a.T


WANTED: dict[str, Callable[[], torch.Tensor]] = {
    "argmax": lambda: padded(X.max()[None], X.argmax()[None]),
    "atomics": atomics,
    "block_pointer": lambda: padded(X.view(16, 16)[:8, :8] + X.view(16, 16)[:8, 8:]),
    "called": lambda: X * 10 + 6,
    "cat": lambda: X.sort().values,
    "combined": combined,
    "cumsum": lambda: X.flip(0).cumsum(0).flip(0),
    "descriptor": lambda: padded(X[64:192] * 2, X[192:], torch.zeros(64)),
    "early": lambda: X if X[0] > X[1] else -X,
    "flip": lambda: X.flip(0),
    "functions": functions,
    "gather": lambda: X.flip(0),
    "histogram": lambda: padded(torch.bincount((X * 4).int() & 15, minlength=16)),
    "host_descriptor": lambda: padded(X[192:]),
    "interleave": lambda: torch.cat([X[128:], X[:128]]),
    "library": library,
    "product": lambda: (X.view(16, 16) @ X.view(16, 16).T).flatten(),
    "small_product": lambda: padded(small_product()),
    "sort": lambda: X.sort().values,
    "staged": lambda: 4 * X + 1,
    "topk": lambda: padded(X.topk(8).values),
    "tupled": lambda: X * 3 + X,
}


def wanted() -> list[Any]:
    gone = pytest.mark.skipif(release("triton") >= (3, 9), reason="triton 3.9 has no block pointers")
    return [pytest.param(name, marks=[gone] * (name == "block_pointer")) for name in WANTED]


@COMPILING
@pytest.mark.parametrize("name", wanted())
def test_what_a_kernel_writes_is_what_torch_computes(name: str, device: str) -> None:
    faults, out = run_on(device, KERNELS, "run", name, X)
    assert faults == []
    torch.testing.assert_close(out, WANTED[name](), rtol=2e-5, atol=2e-5)


@COMPILING
def test_random_numbers_are_spread_evenly(device: str) -> None:
    _, out = run_on(device, KERNELS, "run", "rand", X)
    assert len(out.unique()) > SIZE - 3
    assert 0 <= out.min() < 0.05 < 0.95 < out.max() < 1


@COMPILING
def test_halves_that_may_be_reordered_are(device: str) -> None:
    """A kernel that counts on an order is found out with no GPU, too."""
    out = run_on(device, KERNELS, "run_in_order", X)
    assert not torch.equal(out, X)
    assert torch.equal(out.sort().values, X.sort().values)


def test_what_is_not_lowered_is_named_with_its_line() -> None:
    with pytest.raises(Exception, match=r"tt\.elementwise_inline_asm at .*host_operations\.py:\d+"):
        run_on("host", KERNELS, "run_refused", X)


def test_a_loop_that_leaves_its_argument_is_ended_soon() -> None:
    assert run_on("host", KERNELS, "run_astray", 1) == ([], 1.0)
    faults, turns = run_on("host", KERNELS, "run_astray", 1 << 20)
    assert faults == ["outside"]
    assert turns < 1 << 17


E2M1 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])
EIGHT = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}


def drawn(kind: str, rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return [rows, 128] small floats as they lie in memory, their scales, and what they are."""
    generator = torch.Generator().manual_seed(seed)
    scales = torch.randint(120, 134, (rows, 4), dtype=torch.uint8, generator=generator)
    if kind == "e2m1":
        raw = torch.randint(0, 256, (rows, 64), dtype=torch.uint8, generator=generator)
        values = torch.cat([E2M1, -E2M1])[torch.stack([raw & 15, raw >> 4], -1).long()].view(rows, 128)
    else:
        raw = torch.randn(rows, 128, generator=generator).to(EIGHT[kind])
        values = raw.float()
    return raw, scales, values * (2.0 ** (scales.float() - 127)).repeat_interleave(32, 1)


@COMPILING
@pytest.mark.parametrize("kinds", [("e4m3", "e4m3"), ("e2m1", "e4m3"), ("e5m2", "e2m1"), ("e2m1", "e2m1")], ids=str)
def test_scaled_products_are_those_of_the_numbers_that_are_meant(kinds: tuple[str, str], device: str) -> None:
    (a, sa, left), (b, sb, right) = drawn(kinds[0], 32, 0), drawn(kinds[1], 64, 1)
    out = run_on(device, KERNELS, "run_scaled", a, sa, b.T.contiguous(), sb, kinds)
    expected = left.double() @ right.double().T
    torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-5 * float(expected.abs().max()))
