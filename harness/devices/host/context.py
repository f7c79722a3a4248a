"""What a launch tells the compiled code, and what it is told: `runtime/context.h` in ctypes."""

import ctypes
from dataclasses import dataclass
from enum import IntEnum

MOST_FAULTS = 64
"""Of one launch: each site and kind once."""


class What(IntEnum):
    """Say what was met at a site."""

    OUTSIDE = 0
    UNINITIALISED = 1
    RACE = 2
    ASSERTION = 3
    BEYOND = 4


class Fault(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("site", "what", "program", "other", "offset", "count")]

    site: int
    what: int
    program: int
    other: int
    """The other program of a race; else -1."""
    offset: int
    """Bytes from the argument's first, or an address."""
    count: int


class Span(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("low", "high", "region", "base")]

    low: int
    high: int
    region: int
    base: int
    """Where the argument points: to the lowest byte, but for what lies the other way round."""


class Region(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("low", "high", "granule")),
        ("initialised", ctypes.c_void_p),
        ("pattern", ctypes.c_uint64),
        ("period", ctypes.c_int64),
        ("cells", ctypes.c_void_p),
    ]

    low: int
    high: int
    granule: int
    initialised: int | None
    cells: int | None


class Context(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("tracked", "fuel", "program", "products")),
        ("marks", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("fault_count", "fault_capacity")),
        ("faults", ctypes.POINTER(Fault)),
        ("span_count", ctypes.c_int64),
        ("spans", ctypes.POINTER(Span)),
        ("region_count", ctypes.c_int64),
        ("regions", ctypes.POINTER(Region)),
        ("clocks", ctypes.c_void_p),
        ("scheduler", ctypes.c_void_p),
        ("whole", ctypes.c_int64),
        ("unread", ctypes.c_double),
    ]

    tracked: int
    fuel: int
    program: int
    products: int
    fault_count: int
    whole: int
    unread: float


@dataclass(frozen=True)
class Outcome:
    """Say what one launch met."""

    faults: list[Fault]
    products: int
    """Multiply-adds of its matrix products."""
    exhausted: bool
    """Whether its loops were ended for want of fuel."""
    marks: bytes
    """One each: whether it was reached."""
