"""How a fleet scales on this machine: `…/python -m eagerdiff.suites.tests.fleet.scaling [NODES …]`, Ray beside it.

For each number of nodes, of one CPU each, a cluster searches the kernels of one operator for half a minute, its crews
started before; it prints the cases that were judged. More nodes than cores tell nothing.
"""

import sys

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.campaign import build_of
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet, Setup
from eagerdiff.harness.fleet.on_ray import Cluster, OnRay
from eagerdiff.harness.results.environment import environment
from eagerdiff.suites.tests.fleet.nodes import nodes

OPERATOR, DEVICE, SECONDS = "block_copy", "host", 30.0


def searched(count: int) -> int:
    """Return the cases that so many nodes judge."""
    cluster = nodes(count)
    try:
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
