"""NaN and infinity must stand where the reference has them."""

from typing import TYPE_CHECKING

import torch

from eagerdiff.harness.model.verdict import Status, Verdict

if TYPE_CHECKING:
    from eagerdiff.harness.judge.leaf import LeafTruth

_NAMES = ("a finite number", "NaN", "+inf", "-inf")


def check_nonfinite(
    truth: "LeafTruth", value: torch.Tensor, eager: torch.Tensor, exact: torch.Tensor, dtype: torch.dtype
) -> Verdict | None:
    """Refuse a NaN or an infinity that neither eager nor the float64 run has, or the lack of one that both have.

    All three are float64. Where eager and float64 disagree (an overflow of the narrow dtype) either is accepted, and
    so is an infinity within the error budget of the dtype's largest number.
    """
    got, wanted, other = _classify(value), _classify(eager), _classify(exact)
    wrong = (got != wanted) & (got != other) & _steady(truth, wanted)
    overflow = (got >= 2) & (value.sign() == exact.sign()) & _near_largest(truth, exact, dtype)
    wrong &= ~overflow
    if truth.paired:  # which part of an infinite product is NaN, no standard says (C99, Annex G)
        wrong &= (_infinite(got) != _infinite(wanted)) & (_infinite(got) != _infinite(other))
    count = int(wrong.sum())
    if count == 0:
        return None
    index = int(wrong.reshape(-1).to(torch.uint8).argmax())
    names = [_NAMES[int(part.reshape(-1)[index])] for part in (got, wanted)]
    status = Status.WRONG_MUTATION if truth.mutated else Status.WRONG_VALUE
    numbers = {"wrong": float(count), "elements": float(wrong.numel()), "worst_index": float(index)}
    reason = f"{names[0]} where the reference has {names[1]}"
    return Verdict(status=status, reason=reason, oracle="nonfinite", output=truth.path, numbers=numbers)


def _classify(value: torch.Tensor) -> torch.Tensor:
    infinite = value.isinf()
    kinds = value.isnan().to(torch.uint8)
    return kinds + infinite * torch.where(value < 0, 3, 2).to(torch.uint8)


def _infinite(kinds: torch.Tensor) -> torch.Tensor:
    """Whether either part of a complex number is not finite, for both parts."""
    return (kinds > 0).any(-1, keepdim=True).expand_as(kinds)


def _steady(truth: "LeafTruth", wanted: torch.Tensor) -> torch.Tensor:
    """Where eager repeated itself."""
    if not isinstance(truth.again, torch.Tensor) or truth.again is truth.eager:
        return torch.ones_like(wanted, dtype=torch.bool)
    finite_parts_agree = truth.bounds.judged.reshape(wanted.shape) | (wanted != 0)
    return (_classify(truth.again.double()) == wanted) & (finite_parts_agree | ~truth.eager.isfinite())


def _near_largest(truth: "LeafTruth", exact: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    reach = exact.abs() + truth.bounds.allowed.reshape(exact.shape)
    return reach >= torch.finfo(dtype).max
