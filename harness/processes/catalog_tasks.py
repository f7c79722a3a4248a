"""From a catalog to the processes that run it: what they import, and how a task names what is in it."""

from collections.abc import Collection

from eagerdiff.harness.catalog.catalog import Catalog, our_operators
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.processes.pool import WorkerPool
from eagerdiff.harness.processes.task import Task


def worker_pool(catalog: Catalog, names: Collection[str] | None = None) -> WorkerPool:
    """Return a pool whose fork servers import what a catalog, or some operators of it, hold of ours.

    A stranger's is each worker's own to import: what that does, it does to itself.
    """
    return WorkerPool(sorted(our_operators().intersection(catalog.operators if names is None else names)) or None)


def task_for(catalog: Catalog, operator: str, implementation: str) -> Task:
    """Return a task without cases that names the two by what the catalog was given, so that a worker finds them too.

    Ways of a back end that compiles in an environment of its own share a process, and so that back end's, which takes
    seconds to start.
    """
    home = catalog.homes.get(f"{operator}/{implementation}")
    found = catalog.implementations.get(operator, {}).get(implementation)
    shared = found.group if found is not None and found.requires.environment is not None else ()
    return Task(
        operator=catalog.spec_of(operator) or operator,
        implementation=implementation,
        workload=[],
        process="/".join(shared),
        plugins=(Spec(home),) if home else (),
    )
