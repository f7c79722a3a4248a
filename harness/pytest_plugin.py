"""The pytest plug-in (owned by the CATALOG + CLI helper)."""
