"""A test suite of Triton kernels, as its authors run it without a GPU: `TRITON_INTERPRET=1 pytest kernel_tests.py`."""

import pytest
import torch

from .kernels import add, softmax


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_add(n: int) -> None:
    x, y = torch.randn(n), torch.randn(n)
    torch.testing.assert_close(add(x, y), x + y)


@pytest.mark.parametrize("rows", [1, 5, 16])
@pytest.mark.parametrize("width", [1, 33, 128])
def test_softmax(rows: int, width: int) -> None:
    x = torch.randn(rows, width)
    torch.testing.assert_close(softmax(x), x.softmax(-1))
