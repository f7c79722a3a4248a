"""Signatures: failures of one cause are one, and no implementation's failure hides another's."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from eagerdiff import Identity, Implementation, Mode, Stage
from eagerdiff.harness.campaign.harvest import Harvest, Telling
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus.evals import CorpusError, read_corpus, signature_of
from eagerdiff.harness.judge.exceptions import refusal_of
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.search.backed import backed_twin
from eagerdiff.harness.search.hunt import Ours
from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature
from eagerdiff.suites.tests.kept_corpora import kept_corpora

CATALOG = load(["programs", "paged_attention", "moe", "symbolic", "moe_gradients", "decoder"])
IDENTITIES = {
    name: implementation.identity
    for operator in ("paged_attention", "moe", "programs")
    for name, implementation in CATALOG.implementations[operator].items()
}


def found(implementation: str, *about: str, status: Status = Status.WRONG_VALUE) -> Finding:
    verdict = Verdict(status=status, reason="an element is off by 7", oracle=Oracle.ELEMENTWISE, output="[3]")
    return Finding(
        operator="programs",
        implementation=implementation,
        identity=IDENTITIES.get(implementation, Identity()),
        device="cpu",
        verdict=verdict,
        workload=[],
        about=about,
    )


def explains(known: Finding, finding: Finding) -> bool:
    return known.signature.explains(finding.signature)


def test_a_large_program_is_explained_by_a_part_of_it_that_fails_alike() -> None:
    known = found("inductor.static", "amax", "sin")
    assert explains(known, found("inductor.dynamic", "add", "amax", "sin"))
    assert not explains(known, found("inductor.static", "amax", "cos"))
    assert not explains(known, found("aot_eager.static", "amax", "sin"))
    assert not explains(known, found("inductor_triton.static", "amax", "sin"))
    assert not explains(known, found("inductor.static", "amax", "sin", status=Status.WRONG_SHAPE))
    assert not explains(found("inductor.static"), found("inductor.dynamic"))
    assert not explains(known, found("inductor.static"))


def test_what_fails_in_the_front_end_explains_the_back_ends_behind_it() -> None:
    known = found("dynamo.dynamic", "amax")
    assert explains(known, found("inductor_triton.static", "amax"))
    assert not explains(known, found("export.named", "amax"))


def test_an_engine_that_loses_guards_is_one_finding_whatever_it_compiles() -> None:
    def lost(implementation: str, *about: str, reason: str = "GuardLost: it answered") -> Finding:
        backend, _, variant = implementation.partition(".")
        verdict = Verdict(status=Status.RAISED, reason=reason, frame="engine:call", exceptions=("GuardLost",))
        identity = Identity(backend=backend, variant=variant, stage=Stage.ENGINE)
        return found(implementation, *about).model_copy(update={"verdict": verdict, "identity": identity})

    assert explains(lost("tvm.named", "mlp"), lost("tvm.named", "lstm"))
    assert explains(lost("tvm.named", "mlp"), lost("tvm.bounded", "lstm"))
    other = "ValueError: no rule"
    assert explains(lost("tvm.named", "mlp", reason=other), lost("tvm.bounded", "mlp", reason=other))
    assert not explains(lost("tvm.named", "mlp", reason=other), lost("tvm.named", "lstm", reason=other))
    assert not explains(lost("tvm.named", "mlp"), lost("iree.named", "lstm", reason="GuardLost: another answered"))


def test_one_line_of_torch_that_raises_is_one_defect_whoever_calls_it() -> None:
    def raised(implementation: str, frame: str = "torch._inductor.lowering:index", reason: str = "x") -> Finding:
        verdict = Verdict(status=Status.RAISED, reason=reason, frame=frame)
        return found(implementation, "index", "sin").model_copy(update={"verdict": verdict})

    known = raised("inductor.static")
    assert explains(known, raised("export.named"))
    assert not explains(known, raised("export.named", frame="torch._inductor.lowering:other"))
    assert not explains(known, raised("export.named", reason="y"))
    assert not explains(raised("inductor.static", frame=""), raised("export.named", frame=""))
    alone = {"about": ()}
    compiled = raised("gather.inductor.static").model_copy(update=alone)
    assert explains(compiled, raised("gather.inductor.dynamic").model_copy(update=alone))
    assert not explains(compiled, raised("triton.varlen").model_copy(update=alone))
    assert not explains(compiled, raised("flex.inductor").model_copy(update=alone))
    assert explains(raised("export.auto").model_copy(update=alone), raised("aot_eager.dynamic"))


def test_a_size_that_becomes_constant_is_one_defect_however_it_shows() -> None:
    def refused(implementation: str, status: Status, reason: str, *about: str) -> Finding:
        held = re.search(r"expected (\d+)", reason)
        verdict = Verdict(
            status=status,
            reason=reason,
            frame="torch.export._trace:f",
            refusal=refusal_of(reason),
            held=int(held[1]) if held else None,
        )
        return found(implementation, *about).model_copy(update={"verdict": verdict})

    constant = (
        "UserError: Constraints violated (a)! - You marked a as dynamic but your code specialized it to be a constant"
    )
    known = refused(
        "dynamo.dynamic", Status.OVER_BUDGET, "tensor 'x' size mismatch at index 0. expected 3, actual 2", "kron"
    )
    assert explains(known, refused("export.named", Status.RAISED, constant, "kron", "sin"))
    assert not explains(known, refused("export.named", Status.RAISED, constant, "sin"))
    recompiled = refused("dynamo.dynamic", Status.OVER_BUDGET, "2 <= x.size()[0]", "kron")
    assert not explains(known, recompiled)
    assert not explains(recompiled, refused("export.named", Status.RAISED, constant, "kron"))


def test_a_harvest_keeps_the_smallest_program_of_a_failure() -> None:
    harvest = Harvest(Known(frozenset({found("inductor.static", "roll").signature})))
    assert harvest.claim(found("inductor.static", "add", "amax", "sin"))
    harvest.keep(found("inductor.static", "sin"), [found("inductor.static", "add", "amax", "sin").signature])
    assert not harvest.claim(found("inductor.unbacked", "cos", "sin"))
    assert not harvest.claim(found("inductor.unbacked", "cos", "roll"))
    assert harvest.claim(found("inductor.unbacked", "cos"))
    assert [entry.finding.about for entry in harvest.entries({})] == [("sin",)]
    harvest.keep(found("dynamo.static"))
    assert [entry.finding.about for entry in harvest.entries({})] == [("sin",), ()]


def test_of_one_cause_the_first_is_made_smaller_wholly() -> None:
    def refused_by(operation: str, origin: str, reason: str = "RuntimeError: broken", frame: str = "") -> Finding:
        verdict = Verdict(status=Status.RAISED, reason=reason, exceptions=("RuntimeError",), origin=origin, frame=frame)
        return found("dynamo.dynamic", operation).model_copy(update={"verdict": verdict})

    harvest = Harvest()
    assert harvest.claim(refused_by("sin", "torch.one:f")) is Ours.WHOLLY
    assert harvest.claim(refused_by("sin", "torch.one:f")) is Ours.NO
    assert harvest.claim(refused_by("cos", "torch.one:f")) is Ours.BRIEFLY
    assert harvest.claim(refused_by("cos", "torch.one:f", "RuntimeError: other")) is Ours.WHOLLY
    assert harvest.claim(refused_by("tan", "torch.other:g")) is Ours.WHOLLY
    assert harvest.claim(refused_by("sin", "", frame="engine:call")) is Ours.WHOLLY
    assert harvest.claim(refused_by("cos", "", frame="engine:call")) is Ours.BRIEFLY
    for operation in ("exp", "log"):  # nothing says what these are due to
        assert harvest.claim(refused_by(operation, "")) is Ours.WHOLLY


def test_what_turned_out_to_be_one_with_a_kept_finding_is_told_by_it() -> None:
    harvest = Harvest()
    large = found("inductor.dynamic", "add", "amax")
    harvest.keep(found("inductor.static", "sin"))
    harvest.keep(found("inductor.dynamic", "cos", "sin"), [large.signature])
    (entry,) = harvest.entries({})
    assert entry.finding.about == ("sin",)
    assert Telling([entry]).of(large.signature) == [entry]
    assert not Telling([entry]).of(found("inductor.dynamic", "mul").signature)


def test_a_failure_of_which_no_entry_tells_is_kept_as_it_was_met() -> None:
    harvest = Harvest(Known(frozenset({found("inductor.static", "cos").signature})))
    harvest.keep(found("inductor.static", "sin"))
    for told in (found("inductor.dynamic", "sin"), found("inductor.dynamic", "cos"), found("inductor.dynamic", "mul")):
        harvest.tell(told)
    assert [entry.finding.about for entry in harvest.entries({})] == [("sin",), ("mul",)]


@pytest.mark.parametrize(
    ("one", "other"), [("acme.first", "acme.second"), ("triton.grouped_gemm", "triton.block_sparse")]
)
@pytest.mark.parametrize("frame", ["", "torch._ops:__call__"])
def test_who_shares_but_a_name_up_to_a_dot_is_explained_by_nobody(one: str, other: str, frame: str) -> None:
    verdict = Verdict(status=Status.RAISED, reason="RuntimeError: broken", frame=frame)
    for about in ((), ("sin",)):
        first, second = (found(name, *about).model_copy(update={"verdict": verdict}) for name in (one, other))
        assert explains(first, first)
        assert not explains(first, second)
        assert not explains(second, first)
        harvest = Harvest()
        assert all(harvest.claim(finding) for finding in (first, second))


def test_a_third_party_that_says_nothing_is_akin_to_nobody() -> None:
    nobody = Implementation(operator="programs", name="inductor.mine", build=lambda case: abs, mode=Mode.DYNAMIC)
    shipped = CATALOG.implementation("programs", "inductor.dynamic").identity
    assert not nobody.identity.akin(shipped)
    assert not shipped.leads_to(nobody.identity)
    assert not nobody.identity.akin(nobody.identity)


def test_a_stage_precedes_those_that_do_all_that_it_does_and_more() -> None:
    chain = (Stage.DYNAMO, Stage.AOT, Stage.DECOMPOSED, Stage.INDUCTOR)
    for stage in Stage:
        later = [other for other in Stage if stage.precedes(other)]
        assert later == (list(chain[chain.index(stage) + 1 :]) if stage in chain else [])


def test_a_finding_explains_itself_and_nobody_whose_compiler_it_is_not() -> None:
    """Every kept finding is recognised; a pair that is one is of one compiler and one function."""
    kept = [
        (signature, case.inputs)
        for corpus in kept_corpora()
        for case in corpus.cases
        if (signature := signature_of(corpus.name, case.inputs, case.expected_output)) is not None
    ]
    assert len(kept) == sum(len(corpus.cases) for corpus in kept_corpora())
    alike: defaultdict[object, list[FailureSignature]] = defaultdict(list)
    for signature, _ in kept:  # what differs in either explains nothing: the tests above
        alike[signature.operator, signature.symptom].append(signature)
    groups = alike.values()
    pairs = [(one, other) for group in groups for one in group for other in group if one != other]
    pairs = [(one, other) for one, other in pairs if one.explains(other)]
    assert all(one.explains(one) for one, _ in kept)
    assert all(one.implementation == other.implementation or one.identity.akin(other.identity) for one, other in pairs)
    assert pairs  # of torch's compiler some are one


def test_a_twin_with_backed_sizes_is_found_by_what_it_is() -> None:
    for name, wanted in (
        ("inductor.unbacked", "inductor.dynamic"),
        ("inductor.unbacked+hinted", "inductor.dynamic"),
        ("inductor.dynamic", None),
        ("export.auto", None),
    ):
        twin = backed_twin(CATALOG.implementation("programs", name), CATALOG.implementations["programs"].values())
        assert (twin.name if twin else None) == wanted
    acme = [
        Implementation(operator="programs", name=f"acme.{mode}", build=lambda case: abs, mode=mode)
        for mode in (Mode.UNBACKED, Mode.DYNAMIC)
    ]
    assert backed_twin(acme[0], acme) is None


def test_a_name_decides_no_class() -> None:
    held = Verdict(status=Status.OVER_BUDGET, reason="x.size()[0] == 7", held=7)
    refused = Verdict(status=Status.RAISED, reason="Constraints violated", refusal=refusal_of("Constraints violated"))
    for name in ("acme.dynamic_split", "acme.exporter", "export.mine", "aoti.mine", "x.unbacked"):
        finding = found(name).model_copy(update={"verdict": held, "identity": Identity()})
        assert finding.defect is Class.RECOMPILE
        assert finding.model_copy(update={"verdict": refused}).defect is not Class.EXPORT_CONSTRAINT
    assert found("inductor.dynamic").model_copy(update={"verdict": held}).defect is Class.SPECIALISATION
    assert found("export.named").model_copy(update={"verdict": refused}).defect is Class.EXPORT_CONSTRAINT


def test_a_signature_is_data() -> None:
    signature = found("inductor.static", "amax", "sin").signature
    assert type(signature).model_validate(json.loads(signature.model_dump_json())) == signature
    assert str(signature) == "programs/inductor.static: WRONG_VALUE an element is off by N of amax+sin"


def test_a_corpus_that_names_its_failures_by_joined_text_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    path.write_text(
        "name: doubling\ncases: [{name: a, inputs: {implementation: a, device: cpu, workload: [{}]}, "
        "expected_output: {status: RAISED, group: 'doubling|a|RAISED||x'}}]"
    )
    with pytest.raises(CorpusError, match="malformed") as error:
        read_corpus(path)
    assert "\n" not in str(error.value)


def test_an_oracle_is_read_as_it_was_once_written() -> None:
    old = [
        Verdict.model_validate({"status": "WRONG_VALUE", "oracle": text}) for text in ("relation:permute", "rmse", "")
    ]
    assert [(one.oracle, one.relation) for one in old] == [(Oracle.RELATION, "permute"), (Oracle.RMSE, ""), (None, "")]
    rule = Verdict.model_validate({"status": "WRONG_VALUE", "oracle": "baseline: exact"})
    assert (rule.oracle, rule.rule) == (Oracle.BASELINE, "exact")
