"""Optional arguments: parameters and their values come from torch, and what eager refuses compiled code refuses."""

import dataclasses

import pytest
from hypothesis import strategies as st

from eagerdiff import Status, Workload
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.torch_api.call import Call, Step, TensorSpec, is_a
from eagerdiff.strategies.torch_api.cases import Domain, TorchApiCase
from eagerdiff.strategies.torch_api.drawing import drawn
from eagerdiff.strategies.torch_api.drawn import Drawn
from eagerdiff.strategies.torch_api.optional import with_number, with_options
from eagerdiff.strategies.torch_api.options import parameters, texts, values
from eagerdiff.strategies.torch_api.table import entries
from eagerdiff.suites.tests.test_programs import examples
from eagerdiff.suites.torch_api import OPERATOR

CPU = parse("cpu")


def kinds(name: str) -> set[tuple[str, str]]:
    return {(one.name, one.kind) for one in parameters(name)}


def test_parameters_are_those_of_schemas_and_signatures() -> None:
    assert {("p", "float"), ("p", "str")} <= kinds("torch.linalg.cond")
    assert {("weight", "tensor"), ("reduction", "str"), ("label_smoothing", "float"), ("ignore_index", "int")} <= kinds(
        "torch.nn.functional.cross_entropy"
    )
    assert {("momentum", "float"), ("track_running_stats", "bool")} <= kinds("torch.nn.BatchNorm1d")
    assert {("alpha", "float")} <= kinds("torch.add")
    assert not {"out", "device", "generator"} & {name for name, _ in kinds("torch.full_like")}


def test_texts_come_of_documentation_and_of_samples_of_the_same_name() -> None:
    assert {"fro", "nuc"} <= {*texts("torch.linalg.cond", "p")}
    assert {"trunc", "floor"} <= {*texts("torch.div", "rounding_mode")}
    assert {"constant", "reflect", "replicate"} <= {*texts("torch.nn.functional.pad", "mode")}
    assert {"mean", "sum"} <= {*texts("torch.add", "no_such_parameter")}  # then all there are
    assert None not in values("torch.div", next(one for one in parameters("torch.div") if one.name == "rounding_mode"))


def drawn_options(entry: str, count: int) -> list[Drawn]:
    template = entries()[entry].templates[0]
    plain = Drawn(
        entry=entry, call=template.call, dtype=template.dtype, example=template.example, floors=template.floors
    )
    return examples(with_options(plain), count)


def test_options_that_no_sample_has_are_drawn() -> None:
    sampled = {
        repr(step.kwargs.get("p", step.args[1:]))
        for template in entries()["op_db:linalg_cond"].templates
        for step in template.call.steps
    }
    found = {repr(one.call.steps[-1].kwargs.get("p")) for one in drawn_options("op_db:linalg_cond", 40)}
    assert "'fro'" in found - sampled
    weights = [one.call for one in drawn_options("op_db:nn_functional_cross_entropy", 60)]
    assert any(is_a(call.steps[-1].kwargs.get("weight"), "tensor") for call in weights)
    assert any(
        len({"reduction", "label_smoothing", "ignore_index"} & {*call.steps[-1].kwargs}) == 2 for call in weights
    )


def test_a_module_is_built_with_other_options_where_its_parameters_stay() -> None:
    modules = [one.call.module for one in drawn_options("module_db:BatchNorm1d", 60)]
    built = [module.build.kwargs for module in modules if module is not None]
    assert any(kwargs.get("momentum", 0) is None for kwargs in built)
    untracked = [one for one in modules if one is not None and one.build.kwargs.get("track_running_stats") is False]
    assert untracked
    assert not any("running_mean" in one.parameters for one in untracked)


def test_a_number_may_stand_for_a_tensor() -> None:
    template = next(
        one for one in entries()["op_db:searchsorted"].templates if is_a(one.call.steps[-1].args[1], "tensor")
    )
    plain = Drawn(
        entry="op_db:searchsorted",
        call=template.call,
        dtype=template.dtype,
        example=template.example,
        floors=template.floors,
    )
    found = [one.call for one in examples(with_number(plain), 30)]
    second = [call.steps[-1].args[1] for call in found]
    assert any(isinstance(one, int | float) for one in second)
    assert any(is_a(one, "number") for one in second)
    assert any(is_a(one, "result") for one in second)


@pytest.mark.parametrize("mode", ["trunc", "sideways"])
def test_what_eager_refuses_is_refused(mode: str) -> None:
    """Error parity: compiled code raises where eager does, and what answers all the same is found out."""
    call = Call(
        steps=(Step(function="torch.div", args=({"tensor": 0}, 2.0), kwargs={"rounding_mode": mode}),),
        tensors=(TensorSpec(shape=("a", 3)),),
    )
    domain = Domain(example={"a": 4}, floors={"a": 0})
    case = TorchApiCase(entry="op_db:div_no_rounding_mode", call=call, sizes={"a": 4}, domain=domain)
    CPU.activate()
    (dynamo,) = (one for one in OPERATOR.implementations if one.name == "dynamo.dynamic")
    assert execute(OPERATOR, dynamo, Workload((case,)), CPU).first_failure is None
    kind = dataclasses.replace(dynamo, build=lambda case: lambda x, **options: (x // 2.0,), mode=None)
    failure = execute(OPERATOR, kind, Workload((case,)), CPU).first_failure
    assert failure is not None
    assert failure.status is (Status.DID_NOT_RAISE if mode == "sideways" else Status.WRONG_VALUE)


def test_options_are_a_share_of_what_is_drawn() -> None:
    names = ("op_db:linalg_cond", "op_db:div_no_rounding_mode", "op_db:nn_functional_cross_entropy")
    known = {repr(template.call.steps) for name in names for template in entries()[name].templates}
    found = [one.call for one in examples(drawn(names), 150)]
    assert sum(repr(call.steps[-1:]) not in known for call in found) > 20


FLOATS = ("op_db:nn_functional_softplus", "op_db:nn_functional_huber_loss", "op_db:lerp")


def alone(entry: str, count: int) -> list[Drawn]:
    """Draw each by itself, as a batch does: Hypothesis' variations of an example share much with it."""
    one = st.tuples(st.integers(0, 2**32 - 1), drawn((entry,)))
    return [examples(one, 2, number)[-1][1] for number in range(count)]


@pytest.mark.parametrize("entry", ["op_db:linalg_norm", "op_db:scatter", "op_db:linalg_cond"])
def test_where_to_write_is_drawn_of_every_function_that_can_be_told(entry: str) -> None:
    calls = [one.call for one in alone(entry, 80)]
    assert sum(any("out" in step.kwargs for step in call.steps) for call in calls) > 5


def test_integers_are_drawn_where_the_table_says_floats_alone() -> None:
    assert not {"int64", "int32"} & {*entries()["op_db:masked_median"].dtypes}
    dtypes = [one.dtype for one in alone("op_db:masked_median", 150)]
    assert sum(dtype.startswith(("int", "uint")) for dtype in dtypes) > 5


def test_a_float_is_read_from_a_tensor_too() -> None:
    calls = [one.call for one in examples(drawn(FLOATS), 150)]
    read = [call.tensors[step.args[0]["tensor"]] for call in calls for step in call.steps if "item" in step.function]
    assert any(spec.dtype == "float64" and len(spec.literal) == 1 for spec in read)


def test_an_optional_number_may_be_a_tensor_of_no_dims() -> None:
    calls = [one.call for one in examples(drawn(("op_db:add",)), 300)]
    alphas = [step.kwargs["alpha"] for call in calls for step in call.steps if "alpha" in step.kwargs]
    assert any(is_a(one, "tensor") for one in alphas)
