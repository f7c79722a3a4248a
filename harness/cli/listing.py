"""`eagerdiff list`: the operators and implementations there are."""


def list_operators() -> None:
    """List operators and implementations, shipped and plugged in."""
    from eagerdiff.harness.cli.console import console, table
    from eagerdiff.harness.cli.options import available_devices, read_catalog
    from eagerdiff.harness.devices import default_devices

    catalog = read_catalog()
    there = {device.name for device in available_devices()}
    listing = table("", "operator", "implementation", "mode", "devices (here)", "description")
    for operator, implementations in sorted(catalog.implementations.items()):
        for name, implementation in sorted(implementations.items()):
            here = [device for device in default_devices(implementation) if device in there]
            devices = f"{', '.join(implementation.devices)} ({', '.join(here) or 'none'})"
            listing.add_row(operator, name, implementation.mode_name, devices, implementation.description)
        if not implementations:
            listing.add_row(operator, "(none)")
    console().print(listing)
