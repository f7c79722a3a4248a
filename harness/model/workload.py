"""A workload: a sequence of calls of one compiled artifact."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

import yaml

from eagerdiff.harness.model.case import CaseT
from eagerdiff.harness.reading import CASE, parse_yaml


@dataclass(frozen=True)
class Workload(Generic[CaseT]):
    """Order cases that share one static key; the first is the shape that the compiler sees first.

    The unit of search, of recompilation and of timing: guards depend on history, so one call alone tests little.
    How it is compiled is the implementation's `mode`. Raises ValueError for no case or for more than one static key.
    """

    cases: tuple[CaseT, ...]

    def __post_init__(self) -> None:
        if not self.cases:
            raise ValueError("a workload needs at least one case")
        keys = {case.static_key for case in self.cases}
        if len(keys) > 1:
            raise ValueError(f"a workload has one static key, not {len(keys)}: {sorted(map(str, keys))}")

    @classmethod
    def of(cls, *cases: CaseT) -> "Workload[CaseT]":
        """Build a workload from cases in call order."""
        return cls(tuple(cases))

    def to_data(self) -> list[dict[str, Any]]:
        """Return plain JSON-ready data: one mapping a case."""
        return [case.model_dump(mode="json") for case in self.cases]

    @classmethod
    def from_data(cls, case_type: type[CaseT], data: Sequence[Any]) -> "Workload[CaseT]":
        """Read what `to_data` wrote; raise `pydantic.ValidationError` or ValueError where it does not fit."""
        return cls(tuple(case_type.model_validate(item) for item in data))

    def to_yaml(self) -> str:
        """Return the workload as a YAML list of cases."""
        return yaml.safe_dump(self.to_data(), sort_keys=False)

    @classmethod
    def from_yaml(cls, case_type: type[CaseT], text: str) -> "Workload[CaseT]":
        """Read what `to_yaml` wrote; raise ValueError where it does not fit."""
        return cls.from_data(case_type, parse_yaml(text, CASE))

    @property
    def digest(self) -> str:
        """A short name of the content, the same in every process."""
        return hashlib.sha256(json.dumps(self.to_data(), sort_keys=True).encode()).hexdigest()[:12]
