"""The table of engines: every program under every way of compiling it, measured in one run."""
