"""``fuselab device``: adapters, limits, precision, calibration and settings."""

from __future__ import annotations

import json
import sys
from typing import Any

from app.cli import headless
from app.cli.command_line import Options
from app.engine.session import report

Row = dict[str, Any]


def do_device(options: Options) -> int:
    """Print what is there and what is set."""
    from app.engine.session.device_survey import survey_machine

    found = survey_machine(headless.load_settings(options))
    if options.format == "json":
        sys.stdout.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(text(found))
    return 0


def text(found: Row) -> str:
    """The survey for people."""
    parts = [_adapter(row, found["device"]) for row in found["adapters"]]
    if not parts:
        parts = [f"no adapter: everything runs on the host ({found['device'].get('reason', '')})\n"]
    assumed = set(found["calibration"].get("assumed", ()))
    calibration = [
        f"  {name:<24} {value}{' (assumed)' if name in assumed else ''}"
        for name, value in found["calibration"].items()
        if name != "assumed"
    ]
    parts.append("\n".join(["calibration", *(calibration or ["  none yet"])]) + "\n")
    settings = [
        f"  {row['name']:<24} {row['value']!s:<10} {row['variable']:<32} {row['description']}"
        f"{'' if row['origin'] == 'default' else ' (' + row['origin'] + ')'}"
        for row in found["settings"]
    ]
    return "\n".join([*parts, "\n".join(["settings", *settings])]) + "\n"


def _adapter(row: Row, used: Row) -> str:
    mark = " (in use)" if row["name"] == used["name"] else ""
    features = [f for f in row["features"] if f.startswith(("shader-", "timestamp", "subgroup"))]
    return (
        f"{row['name']}{mark}\n"
        f"  kind        {row['type']}, {row['backend']}, {row['driver']}\n"
        f"  double      {'yes' if row['f64'] else 'no: doubles stay on the host'}\n"
        f"  buffers     {report.size(row['max_buffer_bytes'])}, "
        f"bindings {report.size(row['max_binding_bytes'])}\n"
        f"  features    {', '.join(features)}\n"
    )
