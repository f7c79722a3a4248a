"""Programs as people write them, which know nothing of eagerdiff: what recording costs is measured on them."""
