"""One benchmark class an operator, so that each has its own table of implementations and workloads."""

from .subjects import catalog, device, parameters, subject


class PerWorkload:
    """Run one implementation on one fixed workload; subclasses say what is tracked."""

    version = "1"
    timeout = 300
    param_names = ("implementation", "workload")
    operator: str
    on = ""
    """Device, where it is not the one on which times are taken."""

    def setup(self, implementation: str, workload: str) -> None:
        """Look the pair up; skip it where it cannot run."""
        self.subject = subject(self.operator, implementation, workload, self.on or device())


def per_operator(kind: type[PerWorkload]) -> dict[str, type]:
    """Return a subclass of a benchmark class for each operator of the catalog, by its name in CamelCase."""
    classes: dict[str, type] = {}
    for operator, found in catalog().operators.items():
        if found.drawing.exploratory:
            continue
        name = kind.__name__.lstrip("_") + "".join(word.title() for word in operator.split("_"))
        params = parameters(operator, kind.on or device())
        if all(params):
            classes[name] = type(name, (kind,), {"operator": operator, "params": params, "__doc__": kind.__doc__})
    return classes
