"""Classes of defects: each verdict that the harness gives is called what a maintainer would call it."""

import pytest

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.summary import describe
from eagerdiff.harness.judge import one_line, raised
from eagerdiff.harness.judge.compiles import held_to
from eagerdiff.harness.judge.exceptions import layer_of
from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.verdict import Status, Verdict, passed
from eagerdiff.harness.triage.classification import Class, classify
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.normalisation import normalise

IDENTITIES = {name: found.identity for name, found in load(["programs"]).implementations["programs"].items()}
VALUE = (Status.WRONG_VALUE, Status.WRONG_SHAPE, Status.WRONG_DTYPE, Status.WRONG_MUTATION, Status.UNWRITTEN)
NO_GUARD = "UserError: Could not guard on data-dependent expression Eq(u0, 5) (unhinted: Eq(u0, 5))"
LOWERING = "InductorError: LoweringException: GuardOnDataDependentSymNode: Could not extract specialized integer"
UNDEFINED = "NameError: name 's33' is not defined"
VIOLATED = (
    'ConstraintViolationError: Constraints violated (x.size()[0])! For more information, run with TORCH_LOGS="+d"'
)
TOO_MUCH = "BackendCompilerFailed: backend='b' raised: RuntimeError: DefaultCPUAllocator: can't allocate memory"
MET: list[tuple[Class, str, Status, str, str]] = [
    *((Class.WRONG_VALUE, "inductor.dynamic", status, "", "differs") for status in VALUE),
    (Class.WRONG_VALUE, "inductor.dynamic", Status.NONDETERMINISTIC, "", "right in one run, wrong in the next"),
    (Class.STRIDES, "inductor.dynamic", Status.WRONG_STRIDES, "", "other strides than eager's"),
    (Class.CRASH, "inductor.static", Status.CRASHED, "", "SIGSEGV in case 0"),
    (Class.CRASH, "triton.varlen", Status.OUT_OF_BOUNDS, "kernel:q", "a load outside `q`"),
    (Class.RACE, "triton.varlen", Status.RACE, "kernel:q", "a store of `q` that another program touches too"),
    (Class.CRASH, "dynamo.static", Status.OUT_OF_MEMORY, "torch._ops:__call__", "RuntimeError: can't allocate memory"),
    (Class.COMPILE_TIME, "dynamo.static", Status.OUT_OF_MEMORY, "torch:__call__", TOO_MUCH),
    (Class.COMPILE_TIME, "inductor.static", Status.TIMED_OUT, "", "case 0 did not end within 60 s"),
    (Class.HANG, "triton.varlen", Status.TIMED_OUT, "", "case 0 did not end within 60 s"),
    (Class.COMPILE_ERROR, "dynamo.unbacked", Status.RAISED, "torch._dynamo.eval_frame:compile_wrapper", NO_GUARD),
    (Class.COMPILE_ERROR, "inductor.unbacked", Status.RAISED, "torch.fx.experimental.symbolic_shapes:f", LOWERING),
    (Class.COMPILE_ERROR, "inductor.static", Status.RAISED, "torch._inductor.codegen.cpp:f", "AssertionError: x"),
    (Class.COMPILE_ERROR, "triton.varlen", Status.RAISED, "triton.compiler.code_generator:f", "CompilationError: at 1"),
    (Class.ERROR, "inductor.unbacked", Status.RAISED, "torch._inductor.runtime.compile_tasks.x:call", UNDEFINED),
    (Class.ERROR, "aot_eager.static", Status.RAISED, "torch._ops:__call__", "IndexError: index out of range in self"),
    (Class.ERROR, "dynamo.static", Status.RAISED, "torch._dynamo.eval_frame:_fn", "IndexError: index 7"),
    (Class.ERROR, "inductor.static", Status.DID_NOT_RAISE, "", "eager raises IndexError"),
    (Class.RECOMPILE, "inductor.mark_dynamic", Status.OVER_BUDGET, "", "2 <= x.size()[1] <= 3"),
    (Class.RECOMPILE, "dynamo.dynamic", Status.OVER_BUDGET, "", "tensor 'x' stride mismatch at index 0. expected 3"),
    (Class.RECOMPILE, "dynamo.dynamic", Status.OVER_BUDGET, "", "tensor 'x' size mismatch at index 1. expected 1, a"),
    (Class.RECOMPILE, "dynamo.static", Status.OVER_BUDGET, "", "tensor 'x' size mismatch at index 1. expected 5, a"),
    (Class.SPECIALISATION, "dynamo.dynamic", Status.OVER_BUDGET, "", "tensor 'x' size mismatch at index 1. expected 5"),
    (
        Class.SPECIALISATION,
        "dynamo.unbacked",
        Status.OVER_BUDGET,
        "",
        "tensor 'x' size mismatch at index 1. expected 1",
    ),
    (
        Class.SPECIALISATION,
        "dynamo.automatic",
        Status.OVER_BUDGET,
        "",
        "tensor 'x' size mismatch at index 0. expected 2, actual 3 (it had changed before)",
    ),
    (Class.RECOMPILE, "dynamo.automatic", Status.OVER_BUDGET, "", "tensor 'x' size mismatch at index 0. expected 2"),
    (Class.SPECIALISATION, "aot_eager.oblivious", Status.OVER_BUDGET, "", "x.size()[0] == 1"),
    (Class.SPECIALISATION, "dynamo.mark_dynamic", Status.OVER_BUDGET, "", "x.size()[0] == 7"),
    (Class.SPECIALISATION, "dynamo.mark_dynamic", Status.RAISED, "torch.fx.experimental.symbolic_shapes:f", VIOLATED),
    (Class.EXPORT_CONSTRAINT, "export.named", Status.RAISED, "torch.export._trace:f", f"UserError: {VIOLATED}"),
    (
        Class.EXPORT_CONSTRAINT,
        "export.auto",
        Status.RAISED,
        "torch:_assert",
        "AssertionError: Guard failed: x.size()[0]",
    ),
    (
        Class.EXPORT_CONSTRAINT,
        "aoti.bounded",
        Status.RAISED,
        "",
        "UnenforcedBound: Dim a = 0 outside [3, 16] was not r",
    ),
    (Class.COMPILE_ERROR, "export.auto", Status.RAISED, "torch.export._trace:f", "Unsupported: call of a builtin"),
    (Class.GUARD_LOST, "tvm.named", Status.RAISED, "", "GuardLost: tvm answered where a guard of the program refuses"),
    (Class.FALLBACK, "dynamo.static", Status.FELL_BACK, "", "recompile limit hit"),
    (
        Class.FALLBACK,
        "dynamo.static",
        Status.RAISED,
        "torch._dynamo.convert_frame:_compile",
        "FailOnRecompileLimitHit: x",
    ),
]


def told(status: Status, frame: str, reason: str) -> Verdict:
    """Return the verdict that the harness gives on an exception with such a message, or on such a guard."""
    if status is Status.OVER_BUDGET:
        anew = reason.endswith("(it had changed before)")
        return Verdict(status=status, reason=reason, guard=reason, held=held_to(reason), held_anew=anew)
    name, _, message = reason.partition(": ")
    error: BaseException = type(name, (Exception,), {})(message)
    made = raised(error)
    return made.model_copy(update={"status": status, "frame": frame, "layer": layer_of(frame)})


@pytest.mark.parametrize(("wanted", "implementation", "status", "frame", "reason"), MET)
def test_a_failure_is_called_what_it_is(
    wanted: Class, implementation: str, status: Status, frame: str, reason: str
) -> None:
    identity = IDENTITIES.get(implementation, Identity())
    assert classify(told(status, frame, reason), identity) is wanted


def test_every_class_but_the_one_of_two_runs_is_met_above() -> None:
    assert {wanted for wanted, *_ in MET} == set(Class) - {Class.BACKED_UNBACKED}


def test_what_is_right_with_backed_sizes_is_a_disagreement() -> None:
    verdict = Verdict(status=Status.WRONG_VALUE, reason="differs")
    identity = IDENTITIES["inductor.unbacked"]
    found = [classify(verdict, identity, backed) for backed in (None, Status.WRONG_VALUE, Status.PASSED)]
    assert found == [Class.WRONG_VALUE, Class.WRONG_VALUE, Class.BACKED_UNBACKED]


@pytest.mark.parametrize("status", [status for status in Status if status.failed])
def test_every_failure_has_a_class(status: Status) -> None:
    assert classify(Verdict(status=status)) in Class


def test_what_passed_has_none() -> None:
    with pytest.raises(ValueError, match="PASSED"):
        classify(passed())


def test_a_finding_says_its_class_and_reads_back_by_todays_rules() -> None:
    verdict = Verdict(status=Status.CRASHED, reason="SIGSEGV")
    finding = Finding(operator="moe", implementation="x", device="cpu", verdict=verdict, workload=[])
    data = finding.model_dump(mode="json")
    assert data["defect"] == "crash"
    assert "crash, oracle" in describe(finding)
    assert Finding.model_validate(data | {"defect": "a class of old"}) == finding


def test_generated_files_do_not_tell_bugs_apart() -> None:
    one, other = (
        f"kernel, /tmp/torchinductor_me/{name[:2]}/{name}.main.cpp:20, index" for name in ("c" * 50, "cd" * 25)
    )
    assert normalise(one) == normalise(other)
    assert normalise("kernel one, index") != normalise("kernel two, index")
    small, large = (f"triton_red_fused_{name}_0: load outside `in_ptr0`" for name in ("bmm", "abs_bmm_neg"))
    assert normalise(small) == normalise(large)
    one, other = (
        f"Could not guard on data-dependent expression {guard} (unhinted: {guard})"
        for guard in ("u0 < 2", "Eq(u0*u1, 0)")
    )
    assert normalise(one) == normalise(other)
    assert normalise("KeyError: s33*s5") == normalise("KeyError: s5**2") != normalise("KeyError: 'sizes'")


def test_a_violated_constraint_names_one_dim_and_says_why() -> None:
    advice = 'For more information, run with TORCH_LOGS="+dynamic".'
    why = "- You marked a as dynamic but your code specialized it to be a constant (9)."
    for dims, shown in (("a", "a"), ("L['x'].size()[1], L['y'].size()[0], b", "L['x'].size()[1], …")):
        said = one_line(ValueError(f"Constraints violated ({dims})! {advice}\n  {why}"))
        assert said == f"ValueError: Constraints violated ({shown})! {why}"


def test_a_call_that_code_compiled_ahead_refuses_is_told_with_its_guards() -> None:
    parts = "result=0,\nverbose_code_parts=[\"L['x'].size()[0] == 4\"],\nnum_guards_executed=3,\nuser_stack=None"
    said = one_line(RuntimeError(f"GuardManager check failed, reason: GuardDebugInfo(\n{parts})"))
    assert said == "RuntimeError: GuardManager check failed, reason: \"L['x'].size()[0] == 4\""


def test_what_computes_nothing_hangs_and_does_not_compile_for_long() -> None:
    waits = Verdict(status=Status.TIMED_OUT, reason="case 0 hangs: no CPU used for 60 s", idle=True)
    assert classify(waits, IDENTITIES["inductor.static"]) is Class.HANG
