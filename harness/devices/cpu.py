"""The processor: Inductor's C++, AOTInductor, other engines."""

import os
import shutil

from eagerdiff.harness.devices.device import Device, DeviceKind


class Cpu(Device):
    """Run on the processor with Inductor's C++ back end."""

    name = "cpu"
    kind: DeviceKind = "cpu"

    def unavailable(self) -> str | None:
        """Return a reason where no C++ compiler is found."""
        compilers = [os.environ.get("CXX", ""), "g++", "clang++", "c++"]
        if any(compiler and shutil.which(compiler) for compiler in compilers):
            return None
        return "no C++ compiler found (looked for $CXX, g++, clang++, c++)"

    def activate(self) -> None:
        """Compile in this process and without Inductor's graph cache, so that every compilation is seen and counted."""
        super().activate()
        from eagerdiff.harness.internals import dynamo_config

        dynamo_config.compile_here()
        dynamo_config.switch_graph_caches_off()
