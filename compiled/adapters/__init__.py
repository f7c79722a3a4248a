"""Third parties' kernels, adapted, by operator: each is skipped, with the reason, where its package is not there."""

__eagerdiff_glue__ = True
"""What an adapter raises itself is a harness error, not a finding about the package (docs/judge.md)."""
