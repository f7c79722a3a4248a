"""Torture: whatever a stranger's code does, at whatever stage, costs nobody else a verdict."""
