"""The corpus: kept findings, read as data, run again here and under other interpreters."""
