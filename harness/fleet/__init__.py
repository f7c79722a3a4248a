"""A fleet: many machines that work on one campaign. The driver leases turns out; crews do them and tell what came."""

from eagerdiff.harness.fleet.crew import Crew
from eagerdiff.harness.fleet.fleet import Fleet
from eagerdiff.harness.fleet.hired import CrewLost, Hired
from eagerdiff.harness.fleet.lease import Hello, Lease, Setup

__all__ = ["Crew", "CrewLost", "Fleet", "Hello", "Hired", "Lease", "Setup"]
