"""What runs in the environments of engines: it imports torch, the engine, and its neighbours."""
