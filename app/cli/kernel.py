"""``fuselab kernel install``: make Jupyter know the kernel."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from app import helpers, paths
from app.cli.command_line import Options
from app.errors import UsageError

NAME = "fuselab"
OCTAVE_NAME = "fuselab-octave"
"""The kernel whose notebooks are written in Octave's forms."""


def do_kernel(options: Options) -> int:
    """Install the kernel for this user, remove it, or say where it is."""
    try:
        import ipykernel  # noqa: F401 - only whether it is there
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ModuleNotFoundError as missing:
        text = f"{missing.name} is missing: pip install 'fuselab[jupyter]'"
        raise UsageError(text) from None
    manager = KernelSpecManager()
    kernel = OCTAVE_NAME if options.octave else NAME
    match options.operands[0]:
        case "install":
            with tempfile.TemporaryDirectory() as folder:
                write_spec(Path(folder), octave=options.octave)
                place = manager.install_kernel_spec(folder, kernel, user=True)
            sys.stdout.write(f"installed the kernel {kernel} in {place}\n")
        case "remove":
            try:
                place = manager.remove_kernel_spec(kernel)
            except (NoSuchKernel, KeyError):  # which of them depends on the version
                raise UsageError(f"Jupyter knows no kernel {kernel}") from None
            sys.stdout.write(f"removed {place}\n")
        case other:
            raise UsageError(f"fuselab kernel install, or remove; not {other!r}")
    return 0


def write_spec(folder: Path, *, octave: bool = False) -> None:
    """What Jupyter reads of a kernel: how to start it, its name and its icon."""
    package = __name__.partition(".")[0]
    spec = {
        "argv": helpers.module_command(f"{package}.jupyter.kernel", "-f", "{connection_file}"),
        "display_name": "Fuselab (Octave)" if octave else "Fuselab",
        "language": "matlab",
        "interrupt_mode": "message",
        "metadata": {"debugger": True},
        "env": {"FUSELAB_OCTAVE": "1"} if octave else {},
    }
    (folder / "kernel.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    shutil.copyfile(paths.resource("icons") / "fuselab.svg", folder / "logo-svg.svg")
