"""Copies of a call keep strides, offsets and aliasing; guard bands show what was overwritten."""

import ctypes

import pytest
import torch

from eagerdiff import Inputs
from eagerdiff.harness.memory import duplicate, guard, tensors
from eagerdiff.harness.memory.copies import upcast
from eagerdiff.harness.memory.guards import same_bits


def aliased() -> Inputs:
    base = torch.randn(10, 6)
    views = (base[2:5], base.T[:, 3:], torch.randn(3, 1).expand(3, 4), torch.empty(0, 3), [torch.arange(5)])
    return Inputs(views, {"cache": {"k": base.bfloat16()[1:]}, "scale": 2.0})


def test_copies_have_the_same_values_strides_and_aliasing() -> None:
    inputs = aliased()
    for copy in (duplicate(inputs).inputs, guard(inputs).inputs):
        for one, other in zip(tensors(inputs), tensors(copy), strict=True):
            assert torch.equal(one.tensor, other.tensor)
            assert one.tensor.stride() == other.tensor.stride()
            assert one.tensor.data_ptr() != other.tensor.data_ptr() or one.tensor.numel() == 0
            assert (one.tensor.data_ptr() - other.tensor.data_ptr()) % 64 == 0
        copy.args[0][1, 0] = 7
        assert copy.args[1][0, 0] == 7
        assert inputs.args[0][1, 0] != 7


def test_float64_twins_keep_strides_and_aliasing() -> None:
    inputs = aliased()
    twins = upcast(inputs)
    for one, twin in zip(tensors(inputs), tensors(twins), strict=True):
        assert twin.tensor.dtype == (torch.float64 if one.tensor.is_floating_point() else one.tensor.dtype)
        assert torch.equal(one.tensor.to(twin.tensor.dtype), twin.tensor)
        assert one.tensor.stride() == twin.tensor.stride()
    twins.args[0][1, 0] = 7
    assert twins.args[1][0, 0] == 7


def test_a_changed_argument_is_named_by_its_position_or_option() -> None:
    guarded = guard(aliased())
    assert guarded.changed() == []
    guarded.inputs.options["cache"]["k"][0, 0] += 1
    assert guarded.changed() == ["cache"]
    guarded.inputs.args[1][0, 0] += 1
    assert guarded.changed() == [0, 1, "cache"]


def test_a_write_between_the_strides_of_an_input_is_seen() -> None:
    guarded = guard(Inputs((torch.randn(4, 8)[:, :4],)))
    view = guarded.inputs.args[0]
    torch.as_strided(view, (4, 8), (8, 1))[2, 6] = 1
    assert guarded.changed() == [-1]


def test_a_write_beside_an_input_breaks_a_band() -> None:
    for distance in (-1, -256, 20):
        guarded = guard(Inputs((torch.arange(5, dtype=torch.int32),)))
        assert not guarded.overrun()
        ctypes.memset(guarded.inputs.args[0].data_ptr() + distance, 0, 1)
        assert guarded.overrun()
        assert guarded.changed() == []


def thin() -> torch.Tensor:
    """Return three rows 2 GiB apart, of memory that is not touched between them."""
    return torch.empty(3 << 31, dtype=torch.uint8).as_strided((3, 4), (1 << 31, 1)).copy_(torch.arange(12).view(3, 4))


def test_a_thin_tensor_is_copied_dense_and_guarded_as_it_is() -> None:
    inputs = Inputs((thin(),))
    dense, guarded = duplicate(inputs).inputs.args[0], guard(inputs)
    assert dense.untyped_storage().nbytes() < 100
    assert torch.equal(dense, inputs.args[0])
    assert guarded.inputs.args[0].stride() == (1 << 31, 1)
    assert guarded.changed() == []
    guarded.inputs.args[0][2, 3] = 0
    assert guarded.changed() == [0]
    assert upcast(Inputs((inputs.args[0].view(torch.int8),))).args[0].untyped_storage().nbytes() < 100


@pytest.mark.parametrize("dtype", [torch.complex32, torch.complex64, torch.complex128, torch.bfloat16, torch.bool])
def test_bits_are_compared_of_every_dtype_and_of_lazy_state(dtype: torch.dtype) -> None:
    one = torch.tensor([1, 0, 3]).to(dtype)
    assert same_bits(one, one.clone())
    assert not same_bits(one, torch.tensor([1, 0, 0]).to(dtype))
    if dtype.is_complex:
        lazy = (one * 1j).conj()
        assert same_bits(lazy, lazy.resolve_conj())
        assert same_bits(lazy.imag, lazy.imag.resolve_neg())
        assert not same_bits(lazy, lazy.conj())
    if dtype.is_floating_point or dtype.is_complex:
        nan = one * float("nan")
        assert same_bits(nan, nan.clone())
