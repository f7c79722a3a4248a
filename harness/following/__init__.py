"""Following a campaign from elsewhere: its journal is copied to a store, read as it grows, and shown on a page."""
