"""Steps of decoding: drafts accepted up to the first mismatch, caches that grow, beams."""

from eagerdiff.strategies.programs.operation import Attrs, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "decoding"
_FLOAT: tuple[Kind, ...] = ("float",)


def _check_tokens(draft: Type, target: Type, ndim: int) -> None:
    if draft.ndim != ndim or draft.dtype != "int64" or target.shape != draft.shape or target.dtype != "int64":
        raise IllTyped(f"two tensors of tokens in {ndim} dims needed")


def _accepted(context: Context, attrs: Attrs, draft: Type, target: Type) -> Type:
    _check_tokens(draft, target, 1)
    return draft.view(context.fresh())


def _accepted_mask(context: Context, attrs: Attrs, draft: Type, target: Type) -> Type:
    _check_tokens(draft, target, 2)
    return draft.of()


def _accepted_count(context: Context, attrs: Attrs, draft: Type, target: Type) -> Type:
    _check_tokens(draft, target, 2)
    return Type("int64", (draft.shape[0],), below=draft.shape[1] + 1)


def _bonus(context: Context, attrs: Attrs, draft: Type, target: Type) -> Type:
    _check_tokens(draft, target, 2)
    context.need(draft.shape[1], 1)
    return target.of(shape=(draft.shape[0], Size.of(1)))


def _tokens(*shape: str) -> tuple[Operand, Operand]:
    sizes = tuple(map(Size.of, shape))
    return Operand(matching=lambda choices: Type("int64", sizes, below=Size.of(4))), Operand(
        matching=lambda choices, draft: draft
    )


_COUNT = "({0} == {1}).to(torch.int64).cumprod(-1).sum(-1)"


def _appended(context: Context, attrs: Attrs, cache: Type, new: Type) -> Type:
    if cache.ndim < 2 or new.dtype != cache.dtype or new.shape != cache.with_dim(-2, 1):
        raise IllTyped("one new row needed")
    return cache.of(shape=cache.with_dim(-2, cache.shape[-2] + 1))


def _windowed(context: Context, attrs: Attrs, cache: Type, new: Type) -> Type:
    appended = _appended(context, attrs, cache, new)
    return appended.of(shape=appended.with_dim(-2, appended.shape[-2].least(8)))


_CACHE = Operand(kinds=_FLOAT, ndim=(2, 4))
_NEW = Operand(matching=lambda choices, cache: cache.of(shape=cache.with_dim(-2, 1)))


def _beams(context: Context, attrs: Attrs, scores: Type, steps: Type) -> Type:
    kinds(scores, "float")
    if steps.dtype != scores.dtype or scores.ndim != 1 or steps.ndim != 2 or steps.shape[0] != scores.shape[0]:
        raise IllTyped("a score a beam and a row of steps a beam needed")
    context.need(steps.shape[0], 1)
    context.need(steps.shape[1], 2)
    return scores.of(shape=(Size.of(2),))


OPERATIONS = (
    Operation(
        name="accept_draft_by_item",
        family=FAMILY,
        operands=_tokens("a"),
        infer=_accepted,
        setup=f"{{out}}_n = {_COUNT}.item()\ntorch._check({{out}}_n >= 0)\ntorch._check({{out}}_n <= {{0}}.shape[0])",
        source="{0}[:{out}_n]",
    ),
    Operation(
        name="accept_draft_by_mask",
        family=FAMILY,
        operands=_tokens("a", "b"),
        infer=_accepted_mask,
        setup=f"{{out}}_n = {_COUNT}.unsqueeze(-1)",
        source="torch.where(torch.arange({0}.shape[1], device={0}.device) < {out}_n, {0}, -1)",
    ),
    Operation(name="accepted_count", family=FAMILY, operands=_tokens("a", "b"), infer=_accepted_count, source=_COUNT),
    Operation(
        name="bonus_token",
        family=FAMILY,
        operands=_tokens("a", "b"),
        infer=_bonus,
        setup=f"{{out}}_n = {_COUNT}",
        source="{1}.gather(1, {out}_n.clamp(max={1}.shape[1] - 1).unsqueeze(1))",
    ),
    Operation(
        name="append_to_cache",
        family=FAMILY,
        operands=(_CACHE, _NEW),
        infer=_appended,
        source="torch.cat(({0}, {1}), dim=-2)",
    ),
    Operation(
        name="append_to_window",
        family=FAMILY,
        operands=(_CACHE, _NEW),
        infer=_windowed,
        source="torch.cat(({0}, {1}), dim=-2)[..., -8:, :]",
        guards=1,
    ),
    Operation(
        name="beam_step",
        family=FAMILY,
        operands=(
            Operand(kinds=_FLOAT, ndim=(1, 1)),
            Operand(matching=lambda choices, scores: scores.of(shape=(*scores.shape, Size.of(choices.pick((4, "b")))))),
        ),
        infer=_beams,
        setup="{out}_total = ({0}.unsqueeze(1) + {1}).flatten()\n{out}_best = {out}_total.topk(2).indices\n"
        "{out}_beam, {out}_token = {out}_best // {1}.shape[1], {out}_best % {1}.shape[1]",
        source="{out}_total[{out}_beam * {1}.shape[1] + {out}_token]",
    ),
)
