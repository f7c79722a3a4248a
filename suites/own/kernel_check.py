"""One line for a kernel: `check(kernel=my_norm, reference=rms_norm, x=(..., "width"))`."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eagerdiff import Check, Checking, Effort, Recording
from eagerdiff.suites.own.checked import Checked
from eagerdiff.suites.own.effort import scripts_folder
from eagerdiff.suites.own.frozen import freeze, module_of
from eagerdiff.suites.own.given import Given, by_position
from eagerdiff.suites.own.kernel_given import KernelOptions, called_as, kernel_page, owner_of
from eagerdiff.suites.own.kernel_page import WAY, KernelPage
from eagerdiff.suites.own.like import Like, likes, recorded

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
    like: str | Path | Recording | None = None,
) -> Checked:
    """Hold a kernel against its reference; raise ValueError, in one line, for what cannot be called so."""
    if reference is None:
        raise ValueError("kernel= needs reference=, the PyTorch function that says what it means")
    options, named = KernelOptions.taken_from(named)
    said = list[str]()
    kinds = [Like([], [])]
    if like is not None:
        if args or named:
            raise ValueError("like says the arguments: leave the others out")
        kinds, said = likes(recorded(like, kernel))
    pages = [_page(kernel, reference, args, named, options, kind, gradients=gradients) for kind in kinds]
    share = replace(effort, seconds=effort.seconds / len(pages))
    checks = [_searched(page, owner_of(kernel), share) for page, _ in pages]
    told = [*said, *(line for _, of_page in pages for line in of_page)]
    return Checked(pages[0][0].name, {WAY: functools.reduce(Check.joined, checks)}, told)


def _page(
    kernel: Callable[..., Any],
    reference: Callable[..., Any],
    args: Sequence[Any],
    named: Mapping[str, Any],
    options: KernelOptions,
    like: Like,
    *,
    gradients: bool,
) -> tuple[KernelPage, list[str]]:
    """Return the page of calls that are said, or of one kind of recorded ones."""
    target = called_as(kernel, reference, like.arguments or named)
    if like.arguments:
        args, named = by_position(target, like.arguments)
    given = Given.read(target, args, named, None)
    return kernel_page(kernel, reference, given, options, like, gradients=gradients)


def _searched(page: KernelPage, owner: Any, effort: Effort) -> Check:
    checking = Checking(freeze(page, owner), page.operator(), module_of(owner))
    (found,) = checking.search([WAY], effort, slots=1, scripts=scripts_folder())
    return found
