"""The pages of one's own code: of what its user says of the arguments, or of what a recording does."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch import nn

from eagerdiff import Recording
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.suites.own.called import Called, FunctionCall, ModuleCall
from eagerdiff.suites.own.form import Form
from eagerdiff.suites.own.given import Given, by_position, name_of
from eagerdiff.suites.own.inference import Inference
from eagerdiff.suites.own.like import Like, likes, recorded
from eagerdiff.suites.own.page import Page
from eagerdiff.suites.own.source import standalone


@dataclass(frozen=True)
class Asked:
    """Hold what a page is asked for besides arguments."""

    gradients: bool | None = None
    fullgraph: bool = False
    max_compiles: int | None = None


def page_of(
    code: Callable[..., Any],
    args: Sequence[Any],
    named: Mapping[str, Any],
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    asked: Asked = Asked(),
) -> tuple[Page, list[str]]:
    """Return the page of some code, and what was found out of it; raise ValueError in one line."""
    given = Given.read(code, args, named, dynamic)
    called = _called(code, given.form, asked.gradients)
    inference = Inference(called, given.arguments, dict(given.ranges))
    return _page(code, called, inference, inference.run(), asked), inference.said


def pages_like(
    code: Callable[..., Any], like: str | Path | Recording, asked: Asked = Asked()
) -> tuple[list[tuple[Page, list[str]]], list[str]]:
    """Return a page, and what was found out, for each kind of recorded calls of some code, and what is left out.

    Raises ValueError in one line.
    """
    kinds, said = likes(recorded(like, code))
    return [_page_like(code, kind, asked) for kind in kinds], said


def _page_like(code: Any, like: Like, asked: Asked) -> tuple[Page, list[str]]:
    if isinstance(code, nn.Module):
        code = copy.deepcopy(code).train(like.training)
    given = Given.read(code, *by_position(code, like.arguments), None)
    called = _called(code, given.form, like.gradients if asked.gradients is None else asked.gradients)
    inference = Inference(called, given.arguments, dict(like.ranges), like.seen)
    interface = like.met(inference.run())
    page = _page(code, called, inference, interface, asked)
    workloads = like.workloads(interface)
    return replace(page, first=workloads), [*like.said, *inference.said]


def _page(code: Any, called: Called, inference: Inference, interface: Interface, asked: Asked) -> Page:
    return Page(
        name=name_of(code),
        called=called,
        interface=interface if asked.max_compiles is None else replace(interface, layouts=False),
        fullgraph=asked.fullgraph,
        random=not inference.repeats(),
        changes_state=inference.changes_state(),
        max_compiles=asked.max_compiles,
        source=standalone(code, called),
    )


def _called(code: Callable[..., Any], form: Form, gradients: bool | None) -> Called:
    if isinstance(code, nn.Module):
        return ModuleCall(code, form, code.training if gradients is None else gradients)
    return FunctionCall(code, form, bool(gradients))
