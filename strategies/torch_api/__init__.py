"""Programs from torch's own tables: what `op_db` and `module_db` call, with sizes that change."""
