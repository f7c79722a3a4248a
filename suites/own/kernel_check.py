"""One line for a kernel: `check(kernel=my_norm, reference=rms_norm, x=(..., "width"))`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eagerdiff import Checking, Effort
from eagerdiff.suites.own.checked import Checked
from eagerdiff.suites.own.effort import scripts_folder
from eagerdiff.suites.own.frozen import freeze, module_of
from eagerdiff.suites.own.given import Given
from eagerdiff.suites.own.kernel_given import KernelOptions, called_as, kernel_page, owner_of
from eagerdiff.suites.own.kernel_page import WAY

LEAST_WORKLOADS = 12
"""Of a kernel, whatever the time: they are soon judged, and the first ones drawn are the smallest."""


def check_kernel(
    kernel: Callable[..., Any],
    reference: Callable[..., Any] | None,
    args: Sequence[Any],
    named: Mapping[str, Any],
    effort: Effort,
    *,
    gradients: bool,
) -> Checked:
    """Hold a kernel against its reference; raise ValueError, in one line, for what cannot be called so."""
    if reference is None:
        raise ValueError("kernel= needs reference=, the PyTorch function that says what it means")
    options, named = KernelOptions.taken_from(named)
    given = Given.read(called_as(kernel, reference, named), args, named, None)
    page, said = kernel_page(kernel, reference, given.arguments, given.ranges, given.form, options, gradients=gradients)
    owner = owner_of(kernel)
    checking = Checking(freeze(page, owner), page.operator(), module_of(owner))
    (found,) = checking.search([WAY], effort, slots=1, scripts=scripts_folder())
    return Checked(page.name, {WAY: found}, said)
