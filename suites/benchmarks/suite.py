"""One benchmark class an operator, so that each has its own table of implementations and workloads."""

from .subjects import catalog, device, parameters


def per_operator(kind: type, on: str = "") -> dict[str, type]:
    """Return a subclass of a benchmark class for each operator of the catalog, by its name in CamelCase."""
    classes = {}
    for operator in catalog().operators:
        name = kind.__name__.lstrip("_") + "".join(word.title() for word in operator.split("_"))
        params = parameters(operator, on or device())
        if all(params):
            classes[name] = type(name, (kind,), {"operator": operator, "params": params, "__doc__": kind.__doc__})
    return classes
