"""A real Ray cluster on this machine."""

from typing import Any


def nodes(count: int) -> Any:
    """Return a cluster of so many nodes, of one CPU each, and a head that does nothing: Ray's `Cluster`."""
    from ray.cluster_utils import Cluster  # pyright: ignore

    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(count):
        made.add_node(num_cpus=1)
    made.wait_for_nodes()
    return made
