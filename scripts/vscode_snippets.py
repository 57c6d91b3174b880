"""The window's snippets as VS Code's: ``python scripts/vscode_snippets.py`` writes them anew."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "resources" / "snippets" / "snippets.toml"
TARGET = ROOT / "editors" / "vscode" / "snippets.json"


def converted() -> str:
    """The file of the extension; places ``${1:name}`` are written alike in both."""
    entries = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    made = {
        name: {
            "prefix": name,
            "description": entry.get("about", ""),
            "body": [line.replace("    ", "\t") for line in entry["body"].strip("\n").split("\n")],
        }
        for name, entry in entries.items()
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(converted(), encoding="utf-8")
