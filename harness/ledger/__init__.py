"""The compilation ledger: what was compiled, when, why, and how often it should have been."""

from harness.ledger.ledger import Ledger as Ledger
from harness.ledger.model import Expectation as Expectation
from harness.ledger.model import expected as expected
from harness.ledger.signature import Signature as Signature
from harness.ledger.signature import signature as signature

__all__ = ["Expectation", "Ledger", "Signature", "expected", "signature"]
