"""A week of nights, and how its findings stand after each."""

from eagerdiff.harness.history import Night, Ran, Sighting

BASE = {"torch": "2.13.0", "triton": "3.7.1", "commit": "a", "gpu": "none"}
NAMES = ("kernel", "compiler", "shaky")


def night(day: int, seen: str, revision: str = "acme 1", *, interrupted: bool = False, **environment: str) -> Night:
    """Return a night on which the three findings failed (F), passed (P) or were not come to (-)."""
    told = dict(zip(NAMES, seen, strict=True))
    return Night(
        version=1,
        when=f"2026-11-{day:02d}T02:17:00+00:00",
        seed=day,
        budget=300.0,
        elapsed=270.0,
        interrupted=interrupted,
        environment={**BASE, **environment},
        ran=[Ran(operator="moe", implementation=name, device="cpu", cases=day) for name in NAMES if told[name] != "-"],
        seen=[
            Sighting(
                operator="moe",
                implementation=name,
                device="cpu",
                name=f"{name}-1",
                revision=revision,
                fails=mark == "F",
                found=mark == "F",
                what="it fails",
            )
            for name, mark in told.items()
            if mark != "-"
        ],
    )


WEEK = [
    night(1, "F-P"),
    night(2, "FFP", commit="b"),
    night(3, "PFF", "acme 2", commit="b"),
    night(4, "PPP", "acme 2", commit="b", torch="2.15.0"),
    night(5, "---", "acme 2", commit="b", torch="2.15.0", interrupted=True),
    night(6, "FPP", "acme 3", commit="b", torch="2.15.0"),
    night(7, "FFP", "acme 3", commit="b", torch="2.15.0"),
]
TOLD = [
    {"kernel": "new", "shaky": "fixed"},
    {"kernel": "still", "compiler": "new", "shaky": "fixed"},
    {"kernel": "fixed: kernel acme 1 → acme 2", "compiler": "still", "shaky": "returned: kernel acme 1 → acme 2"},
    {"kernel": "fixed", "compiler": "fixed: torch 2.13.0 → 2.15.0", "shaky": "fixed: torch 2.13.0 → 2.15.0"},
    {"kernel": "fixed", "compiler": "fixed", "shaky": "fixed"},
    {"kernel": "returned: kernel acme 2 → acme 3", "compiler": "fixed", "shaky": "fixed"},
    {"kernel": "still", "compiler": "flaky", "shaky": "fixed"},
]

HALVING = """
from pathlib import Path

import torch
from hypothesis import strategies as st
from eagerdiff import Case, Extras, Implementation, Inputs, Operator, Showing, dynamic

class Halving(Case):
    rows: int = dynamic(1, ge=0)

def halve(x):
    return x / 2

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows + 1, device=device),))

OPERATOR = Operator(
    name="halving", case=Halving, inputs=inputs, reference=halve,
    showing=Showing(source=lambda case: "def reference(x):\\n    return x / 2"),
    extras=Extras(corpus=Path.cwd() / "halving.yaml"),
    cases=lambda: st.builds(Halving, rows=st.integers(0, 9)),
    implementations=[
        Implementation(
            operator="halving", name="acme", devices=("cpu",), build=lambda case: lambda x: x / 2 + WRONG,
            source=lambda case: f"def implementation(x):\\n    return x / 2 + {WRONG}",
        )
    ],
)
"""
"""A plug-in whose kernel is off by WRONG, for nights that are real."""
