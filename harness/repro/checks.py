"""The part of a script that decides: one check a status."""

from eagerdiff.harness.model.verdict import Status

_VALUE = """
def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())
""".strip()

_COMPARE = """
for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
""".strip()

_RAISES = """
for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
""".strip()

_DOES_NOT_RAISE = """
for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
""".strip()

_MUTATES = """
for number, (args, options) in enumerate(calls):
    before = copy.deepcopy(args)
    implementation(*args, **options)
    for position, (old, new) in enumerate(zip(before, args)):
        if isinstance(old, torch.Tensor) and not torch.equal(old.nan_to_num(7), new.nan_to_num(7)):
            sys.exit(f"call {number} changed argument {position}")
""".strip()

_RECOMPILES = """
for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > ALLOWED:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {ALLOWED} suffice")
""".strip()

_FALLS_BACK = """
torch._dynamo.config.fail_on_recompile_limit_hit = True
for args, options in calls:
    implementation(*args, **options)
""".strip()

_TWICE = """
for number, (args, options) in enumerate(calls):
    first, second = implementation(*args, **options), implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (first, second, upcast(second))), strict=True)):
        sys.exit(f"call {number} gives two answers")
""".strip()

_LIES_ELSEWHERE = """
def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
""".strip()

_VALUES = (Status.WRONG_VALUE, Status.WRONG_SHAPE, Status.WRONG_DTYPE, Status.UNWRITTEN)

CHECKS: dict[Status, str] = {
    **dict.fromkeys(
        (Status.WRONG_VALUE, Status.WRONG_SHAPE, Status.WRONG_DTYPE, Status.UNWRITTEN), f"{_VALUE}\n\n{_COMPARE}"
    ),
    **dict.fromkeys((Status.RAISED, Status.CRASHED, Status.OUT_OF_MEMORY), _RAISES),
    Status.DID_NOT_RAISE: _DOES_NOT_RAISE,
    Status.WRONG_MUTATION: _MUTATES,
    Status.OVER_BUDGET: _RECOMPILES,
    Status.FELL_BACK: _FALLS_BACK,
    Status.WRONG_STRIDES: _LIES_ELSEWHERE,
    Status.NONDETERMINISTIC: f"{_VALUE}\n\n{_TWICE}",
}
"""Statuses that a plain script can show; the rest need the interpreter's checks or a clock."""
