"""Python control flow: branches and loops on sizes, early exits, chunks."""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.numbers import BRANCH
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "control"
_ANY: tuple[Kind, ...] = ("float", "int", "bool", "complex")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FLOAT: tuple[Kind, ...] = ("float",)

Shape = Callable[[Type], tuple[Size, ...]]


def on_size(
    name: str,
    setup: str,
    source: str = "{out}_y",
    shape: Shape = lambda x: x.shape,
    allowed: tuple[Kind, ...] = _NUMBERS,
    *,
    ndim: tuple[int, int] = (1, 4),
    guards: int = 1,
    unbacked: bool = False,
) -> Operation:
    """Describe statements that branch or loop on a tensor's sizes; `unbacked` where sizes without hints do as well."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims do not do")
        if not unbacked and any(size.depends_on_data for size in x.shape):
            raise IllTyped(BRANCH)
        return x.of(shape=shape(x))

    return Operation(
        name=name,
        family=FAMILY,
        operands=(Operand(kinds=allowed, ndim=ndim),),
        infer=infer,
        source=source,
        setup=setup,
        guards=guards,
        backed_only="" if unbacked else BRANCH,
    )


def over_rows(name: str, setup: str, source: str, shape: Shape = lambda x: x.shape) -> Operation:
    """Describe a loop over a dim whose size never changes."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, "float", "int")
        if not _is_short(x):
            raise IllTyped("a first dim of 1 to 8 needed")
        return x.of(shape=shape(x))

    operands = (Operand(matching=_short),)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, setup=setup)


def _is_short(x: Type) -> bool:
    return x.ndim > 0 and x.shape[0].constant in range(1, 9)


def _short(choices: Choices) -> Type:
    dtype = choices.pick(("float32", "bfloat16", "int64"))
    return Type(dtype, (Size.of(choices.pick((3, 1, 4))), *choices.pick((_SQUARE, _SQUARE[:1], ()))))


_SQUARE = (Size.of("a"), Size.of("b"))


def early_exit(name: str, setup: str, source: str = "{out}_y") -> Operation:
    """Describe a Python branch on a tensor's values: Dynamo breaks the graph there."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, "float", "int")
        return x.of()

    operands = (Operand(kinds=_NUMBERS),)
    return Operation(
        name=name, family=FAMILY, operands=operands, infer=infer, source=source, setup=setup, graph_break=True
    )


def _padded(x: Type) -> tuple[Size, ...]:
    return (*x.shape[:-1], (x.shape[-1] + 7) // 8 * 8)


def _first(size: Callable[[Size], Size]) -> Shape:
    return lambda x: (size(x.shape[0]), *x.shape[1:])


OPERATIONS = (
    on_size(
        "branch_on_size",
        "if {0}.shape[0] > 3:\n    {out}_y = {0} * 2\nelse:\n    {out}_y = {0} + 1",
    ),
    on_size("branch_on_parity", "{out}_y = {0} * 2 if {0}.shape[0] % 2 == 0 else {0} + 1"),
    on_size(
        "branch_on_equal_sizes",
        "if {0}.shape[0] == {0}.shape[1]:\n    {out}_y = {0} + {0}.transpose(0, 1)\nelse:\n    {out}_y = {0} * 2",
        ndim=(2, 2),
    ),
    on_size("branch_on_numel", "{out}_y = {0}\nif {0}.numel() == 0:\n    {out}_y = {0} + 1"),
    on_size(
        "branch_drops_row",
        "{out}_y = {0}[1:] if {0}.shape[0] > 1 else {0}",
        "{out}_y + 1",
        _first(lambda size: (size - 1).most(size.least(1))),
    ),
    on_size(
        "raise_and_catch",
        "try:\n    if {0}.shape[0] < 2:\n        raise ValueError('too short')\n    {out}_y = {0} * 2\n"
        "except ValueError:\n    {out}_y = {0} + 1",
    ),
    on_size(
        "loop_over_size",
        "{out}_y = {0} * 1\nfor {out}_i in range(min({0}.shape[0], 3)):\n    {out}_y = {out}_y + {0}[{out}_i]",
        guards=4,
    ),
    on_size(
        "halve_in_a_loop",
        "{out}_y = {0} + 1\nwhile {out}_y.shape[0] > 1:\n    {out}_n = {out}_y.shape[0] // 2\n"
        "    {out}_y = {out}_y[:{out}_n] * 0.5 + {out}_y[{out}_n : 2 * {out}_n] * 0.5",
        shape=_first(lambda size: size.least(1)),
        allowed=_FLOAT,
        guards=8,
    ),
    on_size(
        "reverse_by_halves",
        "def {out}_halves(part):\n    middle = part.shape[0] // 2\n    if part.shape[0] <= 1:\n        return part\n"
        "    return torch.cat(({out}_halves(part[middle:]), {out}_halves(part[:middle])))",
        "{out}_halves({0}) * 1",
        guards=12,
    ),
    on_size(
        "chunks_in_a_loop",
        "{out}_parts = []\nfor {out}_part in {0}.split(4):\n    {out}_parts.append({out}_part * 2)",
        "torch.cat({out}_parts)",
        guards=8,
    ),
    on_size(
        "slices_in_a_loop",
        "{out}_parts = [{0}[:0]]\nfor {out}_i in range(0, {0}.shape[0], 8):\n"
        "    {out}_parts.append({0}[{out}_i : {out}_i + 8] + {out}_i)",
        "torch.cat({out}_parts)",
        guards=8,
    ),
    on_size("two_chunks", "", "torch.cat([part.cumsum(-1) for part in {0}.chunk(2)], 0)", allowed=_FLOAT, guards=2),
    on_size(
        "pad_to_eight",
        "",
        "F.pad({0}, (0, -{0}.shape[-1] % 8))",
        _padded,
        unbacked=True,
    ),
    on_size(
        "pad_and_cut",
        "{out}_p = F.pad({0}, (0, -{0}.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)",
        "({out}_p + {out}_p.new_zeros(8)).flatten(-2)[..., : {0}.shape[-1]]",
        allowed=_FLOAT,
        unbacked=True,
    ),
    on_size("scale_by_size", "", "{0} * {0}.shape[0] + {0}.numel()", guards=0, unbacked=True),
    on_size("mean_by_size", "", "{0} / max({0}.shape[0], 1)", allowed=_FLOAT, guards=1, unbacked=True),
    on_size("assert_on_size", "assert {0}.shape[0] >= 0, 'no rows'", "{0} * 2", guards=0, unbacked=True),
    on_size("check_on_size", "torch._check({0}.shape[0] < 1000)", "{0} * 2", guards=0, unbacked=True),
    on_size(
        "layers_in_a_loop",
        "{out}_y = {0}\nfor {out}_i, {out}_f in enumerate((torch.sin, torch.tanh, torch.neg)):\n"
        "    {out}_y = {out}_f({out}_y) + {out}_i",
        allowed=_FLOAT,
        guards=0,
        unbacked=True,
    ),
    on_size(
        "without_gradients",
        "with torch.no_grad():\n    {out}_y = {0} * 2",
        "{out}_y + {0}",
        guards=0,
        unbacked=True,
    ),
    on_size(
        "checkpointed",
        "",
        "torch.utils.checkpoint.checkpoint(lambda part: part.sin().exp(), {0}, use_reentrant=False)",
        allowed=_FLOAT,
        guards=0,
        unbacked=True,
    ),
    over_rows("sum_over_rows", "", "sum(row * 2 for row in {0}.unbind(0))", lambda x: x.shape[1:]),
    over_rows("comprehension_over_rows", "", "torch.stack([row * i for i, row in enumerate({0}.unbind(0))])"),
    over_rows(
        "recurrence_over_rows",
        "{out}_h = torch.zeros_like({0}[0])\n{out}_rows = []\nfor {out}_row in {0}:\n"
        "    {out}_h = {out}_row - {out}_h\n    {out}_rows.append({out}_h)",
        "torch.stack({out}_rows)",
    ),
    early_exit("exit_if_any", "{out}_y = {0}\nif ({0} > 0).any():\n    {out}_y = {0} * 2"),
    early_exit(
        "exit_in_a_loop",
        "{out}_y = {0}\nfor {out}_i in range(3):\n    {out}_y = {out}_y.clamp(max=3 - {out}_i)\n"
        "    if ({out}_y <= 1).all():\n        break",
    ),
    early_exit(
        "exit_in_a_branch",
        "if bool(({0} > 0).all()):\n    {out}_y = {0} + 1\nelif bool(({0} < 0).all()):\n    {out}_y = {0} - 1\n"
        "else:\n    {out}_y = {0} * 2",
    ),
)
