"""``fuselab functions``: every builtin, and whether the device can do it."""

from __future__ import annotations

import json
import sys
from typing import Any

from app.cli.command_line import Options
from app.engine.declarations import toolboxes
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import Builtin


def do_functions(options: Options) -> int:
    """Print the table of builtins."""
    for folder in options.path:
        toolboxes.folders_at(folder)
    listed = rows()
    if options.format == "json":
        sys.stdout.write(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(table(listed))
    for toolbox in toolboxes.known_toolboxes():
        if toolbox.problem:
            sys.stderr.write(f"the toolbox {toolbox.name} cannot be used: {toolbox.problem}\n")
    return 0


def rows() -> list[dict[str, Any]]:
    """One row per builtin, sorted by name."""
    from app.engine.declarations import registry

    return [
        {
            "name": name,
            "category": builtin.category,
            # Every builtin that stays on the host says why; some capture by themselves.
            "device": not builtin.device.reason or _leaves_data(builtin),
            "fuses": not builtin.device.reason,
            "reason": builtin.device.reason,
            "summary": builtin.summary,
            **(
                {} if (brought := toolboxes.toolbox_of(name)) is None else {"toolbox": brought.name}
            ),
        }
        for name, builtin in registry.load_all().items()
    ]


def _leaves_data(builtin: Builtin) -> bool:
    """Whether what is on the device stays there, while the function itself is the host's."""
    form = builtin.device
    return isinstance(form, HostOnly) and (form.cards or form.stays)


def table(listed: list[dict[str, Any]]) -> str:
    """The rows for people."""
    lines = [f"{'name':<22} {'category':<14} {'device':<7} {'fuses':<6} summary"]
    for row in listed:
        device, fuses = ("yes" if row[k] else "–" for k in ("device", "fuses"))
        device = "stays" if row["device"] and row["reason"] else device
        lines.append(
            f"{row['name']:<22} {row['category']:<14} {device:<7} {fuses:<6} {row['summary']}"
        )
    on_device = sum(row["device"] for row in listed)
    return "\n".join(lines) + f"\n{len(listed)} builtins, {on_device} of them on the device\n"
