"""How a fleet scales on this machine: `…/python -m eagerdiff.suites.tests.fleet.scaling [NODES …]`, Ray beside it.

For each number of nodes, of one CPU each, a cluster searches the kernels of one operator for half a minute, its crews
started before; it prints the cases that were judged. More nodes than cores tell nothing.
"""

import sys
from typing import Any

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.campaign import build_of
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet, Setup
from eagerdiff.harness.fleet.on_ray import Cluster, OnRay
from eagerdiff.harness.results.environment import environment

OPERATOR, DEVICE, SECONDS = "block_copy", "host", 30.0


def searched(nodes: int) -> int:
    """Return the cases that so many nodes judge."""
    from ray.cluster_utils import Cluster as Nodes  # pyright: ignore

    cluster: Any = Nodes(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(nodes):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        setup = Setup(build=build_of(environment()), searched=[OPERATOR], devices=[DEVICE])
        with OnRay(Cluster(address=cluster.address), setup) as placement:
            campaign = Campaign(
                load([OPERATOR]), operators=[OPERATOR], devices=[DEVICE], budget=SECONDS, workforce=Fleet(placement)
            )
            return campaign.run().totals.cases
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    for count in map(int, sys.argv[1:] or ["1", "2"]):
        print(f"{count} nodes: {searched(count)} cases in {SECONDS:.0f} s", flush=True)
