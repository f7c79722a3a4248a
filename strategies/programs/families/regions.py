"""Functions that a compiler treats as wholes: branches of different sizes, regions, loops to a size, random objects."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from eagerdiff.strategies.programs.attributes import whole
from eagerdiff.strategies.programs.families.higher_order import LOOP, PREDICATE
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "regions"


@dataclass(frozen=True)
class Branch:
    """Describe a function of `part` whose result has a size of its own in one dim, and the others of `part`."""

    text: str
    dim: int
    """0 for the first dim, -1 for the last one."""


BRANCHES: Mapping[str, Branch] = MappingProxyType(
    {
        "whole": Branch("part * 2", 0),
        "tail": Branch("part[1:] + 1", 0),
        "head": Branch("part[:2] * 3", 0),
        "half": Branch("part[: part.shape[0] // 2].sin()", 0),
        "twice": Branch("torch.cat((part, part))", 0),
        "spaced": Branch("part[::2].clone()", 0),
        "zeros": Branch("part.new_zeros(part.shape[0] + 3, *part.shape[1:])", 0),
        "last_whole": Branch("part - 1", -1),
        "last_tail": Branch("part[..., 1:] + 1", -1),
        "last_padded": Branch("F.pad(part, (0, 2))", -1),
        "last_ones": Branch("part.new_ones(*part.shape[:-1], 2 * part.shape[-1])", -1),
    }
)


def _branched(context: Context, attrs: Attrs, x: Type, predicate: Type) -> Type:
    kinds(x, "float")
    if predicate.dtype != "bool" or predicate.ndim or not x.ndim:
        raise IllTyped("a tensor with dims, and a 0-d bool needed")
    dims = {BRANCHES[attrs[name]].dim for name in ("taken", "left")}
    if len(dims) > 1:
        raise IllTyped("branches that differ in other dims")
    return x.of(shape=x.with_dim(dims.pop(), context.fresh()))


def _branches(choices: Choices, *operands: Type) -> Attrs:
    taken = choices.pick(tuple(BRANCHES))
    alike = [name for name, one in BRANCHES.items() if one.dim == BRANCHES[taken].dim]
    return {"taken": taken, "left": choices.pick(alike), "closure": choices.flag()}


def _cond(attrs: Attrs, x: str, predicate: str) -> str:
    texts = [BRANCHES[attrs[name]].text for name in ("taken", "left")]
    if attrs["closure"]:
        texts = [text.replace("part", x) for text in texts]
        return f"torch.cond({predicate}, lambda: {texts[0]}, lambda: {texts[1]})"
    return f"torch.cond({predicate}, lambda part: {texts[0]}, lambda part: {texts[1]}, ({x},))"


_REGION = """@torch.compiler.nested_compile_region
def region(part, number):
    return part.sin() * number, part.shape[0] * 2 + number
"""


def _same(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "float")
    if not x.ndim:
        raise IllTyped("no dims")
    return x.of()


def _whole_or_size(context: Context, attrs: Attrs, x: Type) -> Type:
    whole(attrs["seed"], 0, 9)
    if not isinstance(attrs["by_size"], bool) or any(size.depends_on_data for size in x.shape):
        raise IllTyped("a number, or a size that does not depend on data")
    return _same(context, attrs, x)


def _seeded(attrs: Attrs, x: str) -> str:
    seed = f"{x}.shape[0]" if attrs["by_size"] else repr(attrs["seed"])
    made = f"{{out}}_r = random.Random({seed})"
    return f"{made}\n{{out}}_y = {x} * {{out}}_r.random()\n{{out}}_z = {{out}}_r.randint(1, 9)"


_ROWS = Operand(kinds=("float",), ndim=(1, 4))

OPERATIONS = (
    Operation(
        name="cond_of_sizes",
        family=FAMILY,
        operands=(_ROWS, PREDICATE),
        infer=_branched,
        attrs=_branches,
        source=_cond,
        gradients=False,
    ),
    Operation(
        name="region_of_size",
        family=FAMILY,
        operands=(_ROWS,),
        infer=_same,
        setup="{out}_y, {out}_n = region({0}, 3)\n{out}_z, _ = region({out}_y, {out}_n)",
        source="{out}_z + torch.full(({out}_n,), 1.0, device={0}.device).sum()",
        prelude={"region": _REGION},
    ),
    Operation(
        name="while_loop_to_size",
        family=FAMILY,
        operands=(_ROWS,),
        infer=_same,
        setup="{out}_x = {0}.clone(memory_format=torch.contiguous_format)",
        source=f"{LOOP}(\n    lambda i, part: i < {{0}}.shape[0],\n    lambda i, part: (i + 1, part * 0.5 + i),\n"
        "    (torch.zeros((), dtype=torch.int64, device={0}.device), {out}_x),\n)[1]",
        gradients=False,
    ),
    Operation(
        name="random_object",
        family=FAMILY,
        operands=(_ROWS,),
        infer=_whole_or_size,
        attrs=lambda choices, x: {"by_size": choices.flag(), "seed": choices.integer(0, 9)},
        setup=_seeded,
        source="{out}_y + {out}_z",
        prelude={"random": "import random\n"},
        guards=24,
        value_only="a random object's seed is a number",
        traced_only="a random object's seed is a number",
        backed_only="a random object's seed is a number",
    ),
)
