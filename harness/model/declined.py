"""What an implementation says when a documented limit shows only once it compiles or runs."""


class Declined(Exception):
    """Say in one line why a workload, or one call, is not for an implementation; raised by `build` or by the call.

    The cases are skipped with that reason, and counted; it is no excuse for a defect.
    """
