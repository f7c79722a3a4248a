"""What is known: one cause is one, whichever operation meets it; what has no function of a framework is its own."""

from eagerdiff import Identity, Stage
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known

COMPILED = Identity(backend="dynamo", stage=Stage.DYNAMO)
EXPORTED = Identity(backend="export", stage=Stage.EXPORT)
WRITTEN_BY_HAND = Identity(backend="triton")


def raised(about: str, origin: str, reason: str, identity: Identity = COMPILED) -> Finding:
    verdict = Verdict(
        status=Status.RAISED,
        reason=reason,
        frame=f"torch.somewhere:{about}",
        origin=origin,
        exceptions=("RuntimeError",),
    )
    return Finding(
        operator="torch_api",
        implementation=identity.backend,
        identity=identity,
        device="cpu",
        verdict=verdict,
        workload=[],
        about=(about,),
    )


def harvested(kept: Finding, met: Finding) -> Finding:
    harvest = Harvest(Known.of([(kept.signature, cause_of(kept))]))
    harvest.keep(met)
    (entry,) = harvest.entries({})
    return entry.finding


KEPT = raised("trace", "torch.fx:guards", "sources must not be empty for s3")


def test_a_known_cause_of_another_operation_is_not_new_and_is_to_be_kept() -> None:
    same = harvested(KEPT, raised("qr", "torch.fx:guards", "sources must not be empty for s7", EXPORTED))
    assert (same.new, same.kept, same.standing) == (False, False, "known cause")


def test_what_is_kept_is_known_as_it_is() -> None:
    same = harvested(KEPT, KEPT)
    assert (same.new, same.kept, same.standing) == (False, True, "known")


def test_another_function_or_message_is_another_cause() -> None:
    assert harvested(KEPT, raised("qr", "torch.fx:guards", "list index out of range")).new
    assert harvested(KEPT, raised("qr", "torch.fx:strides", "sources must not be empty for s7")).new


def test_what_torch_does_not_compile_shares_no_cause() -> None:
    other = raised("qr", "torch.fx:guards", "sources must not be empty for s7", WRITTEN_BY_HAND)
    assert harvested(KEPT, other).new


def test_wrong_values_share_no_cause() -> None:
    wrong = raised("qr", "", "").model_copy(
        update={"verdict": Verdict(status=Status.WRONG_VALUE, reason="off", oracle=Oracle.RMSE)}
    )
    elsewhere = wrong.model_copy(update={"implementation": "export", "identity": EXPORTED})
    assert cause_of(wrong) == cause_of(elsewhere)
    assert harvested(wrong, elsewhere).new
