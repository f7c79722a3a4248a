"""What an example's integers mean is found out, said, and drawn so; what holds tensors is taken apart."""

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor, nn

from eagerdiff import CheckFailed, check, sizes, tensor
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import SizeRange
from eagerdiff.suites.own.meaning import Meaning, meanings
from eagerdiff.suites.own.pages import page_of
from eagerdiff.suites.tests import own_meanings as own
from eagerdiff.suites.tests.unscripted import unscripted

X = torch.randn(9, 3)
OFFSETS = torch.tensor([0, 2, 5, 9])
COUNTS = torch.tensor([2, 3, 4])
GROUPS = torch.tensor([0, 0, 1, 1, 1, 3, 3, 3, 3])
MASK = torch.tensor([[1, 1, 0], [1, 0, 0]])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts are written where pytest runs."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "numbers", "meaning"),
    [
        ("ptr", [0, 2, 5, 9], Meaning("offsets", ("x", 0))),
        ("bounds", [0, 2, 5, 9], Meaning("offsets", ("x", 0), sure=False)),
        ("ptr", [0, 2, 5, 8], None),
        ("idx", [0, 1, 2, 3], None),
        ("counts", [2, 3, 4], Meaning("parts", ("x", 0), sure=False)),
        ("lengths", [9, 4, 1], Meaning("lengths", ("x", 0))),
        ("ids", [9, 4, 1], None),
        ("batch", [0, 0, 1, 5], Meaning("sorted")),
        ("attention_mask", [1, 1, 1, 1], Meaning("mask")),
        ("labels", [1, 0, 0, 1], Meaning("mask", sure=False)),
        ("labels", [-100, 0, 1, 1], None),
        ("weights", [0.0, 1.0, 1.0], Meaning("mask")),
        ("weights", [0.0, 1.0, 0.5], None),
    ],
)
def test_numbers_and_names_tell_what_is_meant(name: str, numbers: list[float], meaning: Meaning | None) -> None:
    assert next(meanings(name, {"x": X, name: torch.tensor(numbers)}), None) == meaning


FAULTS: list[tuple[Any, tuple[Tensor, ...], str]] = [
    (own.sums_of_pieces, (X, OFFSETS), "bounds: offsets from 0 to x_0 (as in the example)"),
    (own.sums_of_counts, (X, COUNTS), "counts: counts that add up to x_0 (as in the example)"),
    (own.up_to_lengths, (torch.randn(4, 7), torch.tensor([1, 5, 2, 3])), "lengths: lengths up to x_1"),
    (own.means_where, (torch.randn(2, 3), MASK), "mask: 0 or 1 (as in the example)"),
    (own.sums_of_groups, (X, GROUPS), "groups: ascending indices below"),
]


@pytest.mark.parametrize(("code", "args", "said"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_what_integers_mean_is_said_and_eager_takes_what_is_drawn(
    code: Any, args: tuple[Tensor, ...], said: str
) -> None:
    page, lines = page_of(code, args, {})
    assert any(line.startswith(said) for line in lines), lines

    @settings(max_examples=30, database=None, deadline=None)
    @given(page.interface.cases())
    def holds(case: OwnCase) -> None:
        if page.interface.outside(case) is None:
            page.called.reference(*page.interface.inputs(case, "cpu").args)

    holds()


@pytest.mark.parametrize(("code", "args", "said"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_at_values_that_the_example_does_not_have_is_found(
    code: Any, args: tuple[Tensor, ...], said: str
) -> None:
    with unscripted(), pytest.raises(CheckFailed, match="WRONG_VALUE"):
        check(code, *args, ways=["dynamo.dynamic"], seconds=1.0, workloads=12)


def test_an_index_that_looks_like_offsets_is_none() -> None:
    page, _ = page_of(
        lambda x, y, idx: x[idx].sum() + y.sum(), (torch.randn(7, 2), torch.randn(6), OFFSETS[:3] + 1), {}
    )
    assert (page.interface.tensors["idx"].values, page.interface.tensors["idx"].below) == ("indices", "x_0")


def test_offsets_have_two_ends() -> None:
    assert page_of(own.sums_of_pieces, (X, OFFSETS), {})[0].interface.ranges["bounds_0"] == SizeRange(2)


def test_equal_numbers_that_are_passed_over_do_not_hide_what_integers_index() -> None:
    page, _ = page_of(own.edges, (torch.randn(6, 3), torch.tensor([[0, 1, 2, 3], [1, 2, 3, 4]])), {})
    assert page.interface.tensors["edge_index"].below == "x_0"
    assert page.interface.tensors["edge_index"].shape == (2, "edge_index_1")


def test_a_mask_of_ones_does_not_hide_that_its_sizes_are_those_of_another() -> None:
    def masked(x: Tensor, mask: Tensor) -> Tensor:
        return x if mask.all() else x * mask

    shapes = page_of(masked, (torch.randn(2, 5), torch.ones(2, 5, dtype=torch.int64)), {})[0].interface.tensors
    assert shapes["x"].shape == shapes["mask"].shape


def test_a_size_of_which_eager_takes_larger_ones_alone_is_equal_to_another() -> None:
    def cut(table: Tensor, x: Tensor) -> Tensor:
        return table[: x.shape[0]] + x

    shapes = page_of(cut, (torch.randn(7, 3), torch.randn(7, 3)), {})[0].interface.tensors
    assert shapes["table"].shape[0] == shapes["x"].shape[0]


LAYERS = own.Layers([torch.randn(4, 3), torch.randn(5, 3)], 0.5)
PAIR = own.Pair(torch.randn(6, 3), torch.randn(7, 3))
OPTIONS = {"weight": torch.randn(3)}


def test_what_holds_tensors_is_taken_apart_and_put_together_again() -> None:
    page, _ = page_of(own.of_layers, (LAYERS, PAIR, OPTIONS), {"bias": torch.randn(3)})
    names = [
        "layers_outputs_0",
        "layers_outputs_1",
        "layers_scale",
        "pair_left",
        "pair_right",
        "options_weight",
        "bias",
    ]
    assert list(page.interface.arguments) == names
    assert page.interface.tensors["pair_right"].shape[0] == "pair_right_0"
    args = (*LAYERS.outputs, 0.5, *PAIR, OPTIONS["weight"], torch.zeros(3))
    right = own.of_layers(LAYERS, PAIR, OPTIONS, bias=torch.zeros(3))
    assert torch.equal(page.called.reference(*args), right)


def test_a_fault_at_a_size_of_a_tensor_that_is_held_is_found_with_a_script() -> None:
    with pytest.raises(CheckFailed, match="pair_right_0=0") as caught:
        check(
            own.of_layers,
            LAYERS,
            PAIR,
            OPTIONS,
            bias=torch.randn(3),
            ways=["dynamo.dynamic"],
            seconds=1.0,
            workloads=12,
            seed=2,
        )
    assert "WRONG_VALUE" in str(caught.value)


def test_shapes_may_stand_in_a_tuple_too() -> None:
    page, _ = page_of(lambda parts: torch.cat(parts), (), {"parts": (("a", 3), tensor("b", 3)), "a": sizes(1, 5)})
    assert page.interface.tensors["parts_0"].shape == ("a", 3)
    assert page.interface.ranges["a"] == SizeRange(1, 5)


def test_what_follows_a_default_is_given_by_its_name() -> None:
    def scaled(x: Tensor, offset: float = 1.0, scale: float = 2.0) -> Tensor:
        return (x + offset) * scale

    page, _ = page_of(scaled, (torch.ones(3),), {"scale": 5.0})
    assert torch.equal(page.called.reference(torch.ones(3), 5.0), torch.full((3,), 10.0))


def test_weights_that_two_names_share_stay_shared() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one = nn.Linear(3, 3)
            self.other = nn.Linear(3, 3)
            self.other.weight = self.one.weight

        def forward(self, x: Tensor) -> Tensor:
            return self.other(self.one(x))

    module = Tied().eval()
    page, _ = page_of(module, (torch.randn(2, 3),), {})
    x, state = torch.randn(4, 3), {name: value.double() for name, value in page.called.state.items()}
    assert torch.allclose(page.called.reference(x.double(), state), module(x).double(), atol=1e-5)
