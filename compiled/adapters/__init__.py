"""Third parties' kernels, adapted, by operator: each is skipped, with the reason, where its package is not there."""
