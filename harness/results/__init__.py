"""Results: what a campaign or a selfcheck came to, as the data behind every report."""
