"""What the figures of mixtures of experts are taken by, called where the interpreter is active."""

from eagerdiff import Implementation, Workload
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.ledger import Ledger
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import inputs
from eagerdiff.suites import moe_metrics


def case_of(*expert_tokens: int, top_k: int = 1) -> MoeCase:
    return MoeCase(
        num_experts=len(expert_tokens),
        top_k=top_k,
        hidden=32,
        intermediate=32,
        tokens=sum(expert_tokens) // top_k,
        expert_tokens=expert_tokens,
        poison=False,
    )


def launched(expert_tokens: tuple[int, ...], calls: int = 1) -> dict[int, dict[str, int]]:
    """Return the ledger's launches of the grouped GEMM, by call and kernel."""
    implementation = load(["moe"]).implementations["moe"]["triton.grouped_gemm"]
    given = inputs(case_of(*expert_tokens), "cpu")
    with Ledger() as ledger:
        for call in range(calls):
            ledger.at(call)
            with parse("interpreted").watch() as watch:
                implementation.build(case_of(*expert_tokens))(*given.args, **given.options)
            ledger.launched(watch.kernels)
        return ledger.launches


def executed(expert_tokens: tuple[int, ...]) -> int:
    """Return the launches of a judged workload of two calls."""
    catalog = load(["moe"])
    case = case_of(*expert_tokens)
    workload = Workload((case, case))
    implementation = catalog.implementations["moe"]["triton.grouped_gemm"]
    outcome = execute(catalog.operators["moe"], implementation, workload, parse("interpreted"), relations=False)
    assert outcome.first_failure is None, outcome.first_failure
    return outcome.launches


def launches(way: str, experts: int) -> tuple[int, int]:
    """Return the launches of one way, and those of matrix products."""
    return moe_metrics.launches(way, _implementation(way), experts)


def multiplied(way: str, *expert_tokens: int) -> int:
    """Return the multiply-adds of one call."""
    case = case_of(*expert_tokens)
    implementation = _implementation(way)
    function = moe_metrics.bare(way, implementation, case)
    return moe_metrics.counted(function, inputs(case, "cpu"))[2]


def compilations(name: str, tokens: tuple[int, ...]) -> tuple[int, bool]:
    """Return the compilations of an implementation over numbers of tokens, and whether Dynamo gave up."""
    return moe_metrics.compilations(load(["moe"]).implementations["moe"][name], tokens)


def _implementation(way: str) -> Implementation:
    return load(["moe"]).implementations["moe"][moe_metrics.WAYS[way]]
