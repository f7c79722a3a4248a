"""What engines say: what they do not capture, which line tells a failure from others, and what is known of it."""

import re

import pytest

from eagerdiff import Finding, Status
from eagerdiff.compiled.engines.engine import Engine
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.engines.session import EngineError
from eagerdiff.harness.judge.exceptions import raised
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.known import Known
from eagerdiff.suites.engines import OPERATOR

NO_ONNX = (
    "No ONNX function found for <OpOverload(op='aten.masked_select', overload='default')>. Failure",
    "masked_select",
)
NOT_CORE = (
    "Operator torch._ops.aten.bincount.default is not in Core ATen opset (https://pytorch.org/docs",
    "aten.bincount.default",
)
STRIDES = ("0 in strides is not supported for ExecuTorch.", "0 in strides is not supported")
MISSING = ("E executorch:method.cpp:743] Missing operator: [2] aten::sort.values_stable", "aten::sort.values_stable")
NOT_CONCRETE = [
    ("Abstract tracer value encountered where concrete value is expected: traced array with shape int64[]", "concrete"),
    ("Array boolean indices must be concrete; got bool[0]", "boolean indices"),
    ("Attempted boolean conversion of traced array with shape bool[].", "boolean conversion"),
]
MET: dict[str, list[tuple[str, str]]] = {
    "onnxruntime": [NO_ONNX, ("NOT_IMPLEMENTED : Could not find an implementation for Mul(14) node with name", "Mul")],
    "executorch": [NOT_CORE, MISSING, STRIDES],
    "executorch_xnnpack": [NOT_CORE, MISSING, STRIDES],
    "openvino": [("-- No conversion rule found for operations: aten.bincount.default\n-- Conversion", "aten.bincount")],
    "iree": [
        ("Higher-order operation 'cond' not implemented in the FxImporter (tried '_import_hop_cond')", "cond"),
        (
            "error: failed to legalize operation 'torch.operator' that was explicitly marked illegal: %3 = "
            '"torch.operator"(%2) <{name = "torch.aten.index_add"}> : (!torch.vtensor<[4,3],f32>)',
            "torch.aten.index_add",
        ),
        ("error: failed to legalize operation 'torch.aten.masked_scatter' that was", "torch.aten.masked_scatter"),
    ],
    "tvm": [("Unsupported function types ['prod.dim_int', 'nonzero.default']", "prod.dim_int")],
    "jax": NOT_CONCRETE,
    "jax_symbolic": [
        *NOT_CONCRETE,
        ("Symbolic dimension comparison 's21' < 's33*s50' is inconclusive.", "'s21' < 's33*s50'"),
        ("polymorphic shapes specification. Expected value >= 1 for dimension variable 's33'", ">= 1"),
    ],
}
"""What each said of a program of `symbolic` or a model that it does not capture, and what is named of it."""


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_each_pattern_of_what_is_not_captured_was_met(engine: Engine) -> None:
    met = MET.get(engine.name, [NO_ONNX] if engine.unsupported else [])
    for words, wanted in met:
        assert wanted in engine.excuse().proof(None, EngineError(engine.name, "load", "Error", words))
    assert all(any(re.search(pattern, words) for words, _ in met) for pattern in engine.unsupported)


HOLLOW = {
    "openvino": (
        "Check 'false' failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\n"
        "FrontEnd API failed with OpConversionFailure:\n"
        "Model wasn't fully converted. Failed operations detailed log:\n"
        "-- aten.index_add.default with a message:\n"
        "Exception happened during conversion of operation index_add/aten.index_add.default with schema NONE",
        "Exception happened during conversion of operation index_add/aten.index_add.default with schema NONE",
    ),
    "openvino_onnx": (
        "Exception from src/inference/src/cpp/core.cpp:117:\nException from src/inference/src/dev/plugin.cpp:54:\n"
        "Check '!shape.rank().is_dynamic()' failed at src/plugins/intel_cpu/src/node.cpp:108:\n"
        "Unexpected: CPU plug-in doesn't support Tile operation with dynamic rank.",
        "Unexpected: CPU plug-in doesn't support Tile operation with dynamic rank.",
    ),
    "iree": (
        "Compilation failed: See diagnostics for details:\n"
        "loc(\"a.py\":41:0): error: 'arith.cmpi' op requires all operands to have the same type",
        "'arith.cmpi' op requires all operands to have the same type",
    ),
    "executorch": (
        "method->execute() failed with error 0x12\n"
        "[cpuinfo_utils.cpp:87] Failed to open midr file /sys/devices/soc0/image_version\n"
        "[tensor_util_portable.cpp:130] Check failed (all_contiguous || all_channels_last): 2 input tensors have",
        "[tensor_util_portable.cpp:130] Check failed (all_contiguous || all_channels_last): 2 input tensors have",
    ),
}
"""What each said of a failure, and the first line of it that tells it from others."""


@pytest.mark.parametrize("name", HOLLOW)
def test_the_first_line_that_tells_a_failure_from_others_is_its_message(name: str) -> None:
    """Two defects whose words begin alike were told as one."""
    (engine,) = (one for one in ENGINES if one.name == name)
    words, telling = HOLLOW[name]
    assert str(EngineError(name, "load", "Error", words, engine.hollow)) == f"{name} raised Error at load: {telling}"
    first = words.partition("\n")[0]
    assert str(EngineError(name, "load", "Error", first, engine.hollow)).endswith(first)


def test_each_pattern_of_what_tells_nothing_was_met() -> None:
    words = [words for words, _ in HOLLOW.values()]
    patterns = {pattern for engine in ENGINES for pattern in engine.hollow}
    assert [one for one in patterns if not any(re.search(one, said) for said in words)] == []


def failing(program: str, kind: str, status: Status = Status.RAISED, engine: str = "tvm") -> Finding:
    verdict = raised(EngineError(engine, "load", kind, "cannot")) if status is Status.RAISED else Verdict(status=status)
    (way,) = (one for one in OPERATOR.implementations if one.name == f"{engine}.named")
    return Finding(
        operator="engines",
        implementation=way.name,
        identity=way.identity,
        device="cpu",
        verdict=verdict,
        workload=[{"program": program}],
        about=(program,),
    )


def test_what_an_engine_says_of_one_program_is_known_of_another_and_its_values_are_its_own() -> None:
    met = failing("mlp", "TypeError")
    known = Known.of([(met.signature, cause_of(met))])
    assert met.verdict.origin == "tvm:load"
    assert known.sharing_cause(failing("rotary", "TypeError")) is not None
    assert known.sharing_cause(failing("rotary", "KeyError")) is None
    wrong = [failing("mlp", "", Status.WRONG_VALUE, engine) for engine in ("tvm", "iree")]
    assert [cause_of(one).where for one in wrong] == ["tvm: mlp", "iree: mlp"]
