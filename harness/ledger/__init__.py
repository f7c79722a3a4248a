"""The compilation ledger: what was compiled, when, why, and how often it should have been."""

from eagerdiff.harness.ledger.ledger import Ledger as Ledger
from eagerdiff.harness.ledger.model import Expectation as Expectation
from eagerdiff.harness.ledger.model import expected as expected
from eagerdiff.harness.ledger.signature import Signature as Signature
from eagerdiff.harness.ledger.signature import signature as signature

__all__ = ["Expectation", "Ledger", "Signature", "expected", "signature"]
