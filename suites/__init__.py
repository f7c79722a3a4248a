"""The product: one page an operator, the catalog, tests, faults, benchmarks, corpus."""
