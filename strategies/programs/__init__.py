"""Programs nobody wrote: typed data, drawn well-typed, rendered as a user would write them."""
