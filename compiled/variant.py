"""Variants: what else may change about a way of compiling, besides its backend and its mode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eagerdiff import Mode
from eagerdiff.compiled import caching, handover, wrapping
from eagerdiff.compiled.backend import AOT_EAGER, DYNAMO, INDUCTOR, INDUCTOR_TRITON, Backend
from eagerdiff.compiled.caching import Caching
from eagerdiff.compiled.handover import Handover
from eagerdiff.compiled.rewriting import breaks, holding
from eagerdiff.compiled.rewriting.rewriting import (
    FUNCTIONAL,
    HANDED,
    KEPT,
    LAZY,
    RANDOM,
    Rewriting,
    of_break,
    of_module,
)
from eagerdiff.compiled.wrapping import Wrapping


@dataclass(frozen=True, kw_only=True)
class Variant:
    """Change one thing about a mode, on a few backends: variants are never multiplied with each other."""

    name: str = ""
    """Follows the mode after a `+`; empty where the mode says it all."""
    mode: Mode
    backends: Sequence[Backend]
    why: str
    """What it changes, for the description."""
    marks: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further arguments of `mark_dynamic` or `mark_unbacked`."""
    shape_ids: bool = True
    """Whether equal unbacked sizes are named alike."""
    dynamo: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings of `torch._dynamo.config`."""
    wrapping: Wrapping | None = None
    """What stands around the function that is compiled."""
    caching: Caching | None = None
    """How torch's caches on disk come in; None switches them off."""
    handover: Handover | None = None
    """What one process leaves to another, which answers calls as well."""
    at_once: bool = False
    """Whether the calls of a workload are made at once, in threads."""
    rewriting: Rewriting | None = None
    """How drawn code is written anew before it is compiled."""
    spec: bool = False
    """Whether sizes are declared by `torch.compile(shapes_spec=…)` in place of marks."""
    compiled_autograd: bool = False
    """Whether backward is compiled by compiled autograd."""
    drawn: bool = False
    """Whether Inductor's settings are drawn, by the case's seed."""
    inductor: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Inductor's settings."""
    devices: Sequence[str] = ()
    """Where it runs; empty where the backend says it all."""

    @property
    def breaks(self) -> bool:
        """Whether it breaks the graph by itself."""
        return self.rewriting is not None and self.rewriting.breaks


PLAIN = Variant(mode=Mode.DYNAMIC, backends=(), why="")
"""Changes nothing."""

BOUNDED = Variant(
    name="bounded",
    mode=Mode.MARK_DYNAMIC,
    backends=(AOT_EAGER, INDUCTOR),
    # A size of 0 or 1 is refused inside declared bounds, and marked without any where it is met.
    marks={"min": 2, "max": 4096},
    why="bounds declared",
)
UNBACKED_BOUNDED = Variant(
    name="bounded",
    mode=Mode.UNBACKED,
    backends=(AOT_EAGER, INDUCTOR),
    marks={"min": 0, "max": 4096},
    why="bounds declared",
)
HINTED = Variant(
    name="hinted",
    mode=Mode.UNBACKED,
    backends=(INDUCTOR, INDUCTOR_TRITON),
    marks={"hint_override": 64},
    why="a hint that no size keeps to",
)
STRICT = Variant(
    name="strict", mode=Mode.UNBACKED, backends=(DYNAMO,), marks={"strict": True}, why="specialisation forbidden"
)
UNNAMED = Variant(
    name="unnamed",
    mode=Mode.UNBACKED,
    backends=(AOT_EAGER, INDUCTOR),
    shape_ids=False,
    why="no shape_id: equal sizes are found out, and asserted at run time",
)
OBLIVIOUS = Variant(mode=Mode.OBLIVIOUS, backends=(AOT_EAGER, INDUCTOR), why="backed_size_oblivious")
ONCE = Variant(mode=Mode.ONCE, backends=(DYNAMO,), why="the stance eager_on_recompile after the first call")
NESTED = Variant(
    name="nested",
    mode=Mode.AUTOMATIC,
    backends=(DYNAMO,),
    dynamo={"nested_graph_breaks": True},
    wrapping=wrapping.NESTED,
    why="nested graph breaks, in a function that another one calls",
)
REPEATED = Variant(
    name="repeated",
    mode=Mode.DYNAMIC,
    backends=(AOT_EAGER, INDUCTOR),
    wrapping=wrapping.REPEATED,
    why="regional compilation: one block, called twice",
)
CONFIGURED = Variant(
    name="config",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR, INDUCTOR_TRITON),
    drawn=True,
    why="Inductor's settings drawn",
)
MAX_AUTOTUNE = Variant(
    name="max_autotune",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    inductor={"max_autotune": True},
    devices=("cuda",),
    why="templates of matrix products and convolutions timed against each other",
)
CUDA_GRAPHS = Variant(
    name="cudagraphs",
    mode=Mode.AUTOMATIC,
    backends=(INDUCTOR,),
    inductor={"triton.cudagraphs": True},
    devices=("cuda",),
    why="recorded and replayed as CUDA graphs, one a shape",
)
CACHED = Variant(
    name="cached",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    caching=caching.CACHED,
    why="every other call is answered from the caches on disk",
)
HANDED_ON = Variant(
    name="handed_on",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    caching=caching.HANDED_ON,
    why="cached graphs saved, and loaded where nothing else is",
)
NEIGHBOURS = Variant(
    name="neighbours",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    caching=caching.NEIGHBOURS,
    why="compiled after the same code with another constant or setting, with one cache on disk",
)
PRECOMPILED = Variant(
    name="precompiled",
    mode=Mode.DYNAMIC,
    backends=(AOT_EAGER, INDUCTOR),
    caching=caching.PRECOMPILED,
    why="compiled ahead for a call, saved and loaded",
)
ELSEWHERE = Variant(
    name="elsewhere",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    handover=handover.ELSEWHERE,
    devices=("cpu",),
    why="in two processes in turns, answered from the caches on disk",
)
PACKAGED = Variant(
    name="packaged",
    mode=Mode.DYNAMIC,
    backends=(INDUCTOR,),
    handover=handover.PACKAGED,
    dynamo={"caching_precompile": True},
    devices=("cpu",),
    why="in two processes in turns, answered from Dynamo's cache on disk",
)
SHIPPED = Variant(
    name="shipped",
    mode=Mode.DYNAMIC,
    backends=(AOT_EAGER, INDUCTOR),
    handover=handover.SHIPPED,
    devices=("cpu",),
    why="in two processes in turns, compiled ahead and saved by one, loaded by the other",
)
THREADS = Variant(
    name="threads",
    mode=Mode.DYNAMIC,
    backends=(AOT_EAGER, INDUCTOR),
    at_once=True,
    devices=("cpu",),
    why="all calls at once, each in two threads, while they compile",
)
THREADS_AUTOMATIC = Variant(
    name="threads",
    mode=Mode.AUTOMATIC,
    backends=(DYNAMO,),
    at_once=True,
    devices=("cpu",),
    why=THREADS.why,
)
SPEC = Variant(
    name="spec",
    mode=Mode.UNBACKED,
    backends=(DYNAMO, AOT_EAGER, INDUCTOR),
    spec=True,
    why="declared by shapes_spec, not marked",
)
COMPILED_AUTOGRAD = Variant(
    name="compiled_autograd",
    mode=Mode.DYNAMIC,
    backends=(DYNAMO, AOT_EAGER, INDUCTOR),
    compiled_autograd=True,
    why="backward compiled by compiled autograd",
)
BROKEN = tuple(
    Variant(
        name=f"break_{kind}",
        mode=Mode.AUTOMATIC,
        backends=(DYNAMO, INDUCTOR) if kind == "asked" else (DYNAMO,),
        dynamo={"capture_scalar_outputs": False} if kind == "item" else {},
        rewriting=of_break(kind),
        why=f"a graph break before every statement, of the kind {kind}",
    )
    for kind in breaks.KINDS
)
RELOADED = tuple(
    Variant(
        name=f"reloaded_{entry}",
        mode=Mode.DYNAMIC,
        backends=(DYNAMO, INDUCTOR) if entry == "module" else (DYNAMO,),
        rewriting=of_module(entry),
        why=f"a module whose state is loaded before each call, compiled by {entry}",
    )
    for entry in holding.ENTRIES
)
STATE_GIVEN = Variant(
    name="state_given",
    mode=Mode.DYNAMIC,
    backends=(DYNAMO, AOT_EAGER),
    rewriting=FUNCTIONAL,
    why="a module that is called with its state as an argument",
)
KEPT_BY_PYTHON = tuple(
    Variant(name=name, mode=Mode.DYNAMIC, backends=(DYNAMO,), rewriting=rewriting, why=why)
    for name, rewriting, why in (
        ("kept_state", KEPT, "arguments kept by objects, dicts, lists, globals and closures, which count calls"),
        ("handed", HANDED, "arguments in a record and a dict, by a generator"),
        ("random_object", RANDOM, "a number from a random object that lives between calls"),
    )
)
LAZY_MODULE = Variant(
    name="lazy",
    mode=Mode.DYNAMIC,
    backends=(DYNAMO, INDUCTOR),
    rewriting=LAZY,
    why="a lazy module, compiled before its parameters have sizes",
)
KEPT_OR_AT_ONCE = (CACHED, HANDED_ON, NEIGHBOURS, PRECOMPILED, THREADS, THREADS_AUTOMATIC)
"""Variants whose compiled code comes out of a cache or a file, or is called by several threads."""
OF_DRAWN_CODE = (
    *(ELSEWHERE, PACKAGED, SHIPPED, SPEC, COMPILED_AUTOGRAD, STATE_GIVEN),
    *(*BROKEN, *RELOADED, *KEPT_BY_PYTHON),
)
"""Variants that want code which was drawn: one function of positional arguments, with its source."""
VARIANTS = (
    *(BOUNDED, UNBACKED_BOUNDED, HINTED, STRICT, UNNAMED),
    *(OBLIVIOUS, ONCE, NESTED, REPEATED, CONFIGURED, MAX_AUTOTUNE, CUDA_GRAPHS),
    *(CACHED, HANDED_ON, NEIGHBOURS, PRECOMPILED, THREADS, THREADS_AUTOMATIC),
)
"""Every variant. Not among them: `automatic_dynamic_shapes` and `assume_static_by_default` switched off, which are
`dynamic=False` and `dynamic=True`; the stance `fail_on_recompile`, which raises where the compile model compiles."""
