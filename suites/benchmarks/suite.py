"""One benchmark class an operator, so that each has its own table of implementations and workloads."""

from .subjects import catalog, device, parameters, subject

NOTHING = "nothing runs here"
"""Stands for the implementations and workloads of an operator that has none on a device."""


class PerWorkload:
    """Run one implementation on one fixed workload; subclasses say what is tracked, theirs of which operator."""

    version = "1"
    timeout = 300
    param_names = ("implementation", "workload")
    params: tuple[list[str], list[str]]
    operator: str = ""
    on = ""
    """Device, where it is not the one on which times are taken."""

    def __init_subclass__(cls, operator: str = "") -> None:
        """List what an operator has to run."""
        if operator:
            found = parameters(operator, cls.on or device())
            cls.operator, cls.params = operator, found if all(found) else ([NOTHING], [NOTHING])

    def setup(self, implementation: str, workload: str) -> None:
        """Look the pair up; skip it where it cannot run."""
        if implementation == NOTHING:
            raise NotImplementedError(f"no implementation of {self.operator} runs on {self.on or device()}")
        self.subject = subject(self.operator, implementation, workload, self.on or device())


def of_plug_ins(kind: type[PerWorkload]) -> dict[str, type]:
    """Return a subclass of a benchmark class for each operator that has none, by its name in CamelCase: plug-ins'."""
    known = {ours.operator for ours in kind.__subclasses__()}
    classes: dict[str, type] = {}
    for operator, found in catalog().operators.items():
        if found.drawing.exploratory or operator in known or not all(parameters(operator, kind.on or device())):
            continue
        name = kind.__name__.lstrip("_") + in_camel_case(operator)
        classes[name] = type(name, (kind,), {"__doc__": kind.__doc__}, operator=operator)
    return classes


def in_camel_case(operator: str) -> str:
    """Return an operator's name as classes are named."""
    return "".join(word.title() for word in operator.split("_"))
