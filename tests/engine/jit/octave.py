"""Texts run here in machine code and in GNU Octave: what their variables are in the end."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from tests.engine.interpreter.running import Machine
from tests.engine.jit.comparing import FILE, eager
from tests.engine.jit.programs import Writer
from tests.oracle.differential import DUMP

NAMES = "abcdpqrsuvthxyzmwego"
END = "-- end --"
_OWN = re.compile(r"\b(rand|randi|int64|v|cc|f|idivide|bitshift|hypot|deep|both)\b|\^b\b")
"""What has no counterpart there, other digits, or another rule."""


def _dumps() -> str:
    shown = "if exist('{n}', 'var'), fprintf('{n}='); dump({n}); fprintf(';\\n'); end"
    return "\n".join([*(shown.format(n=n) for n in NAMES), f"fprintf('{END}\\n');"])


def _split(text: str) -> tuple[str, str]:
    """Statements and functions."""
    at = text.find("\nfunction ")
    return (text, "") if at < 0 else (text[:at], text[at:])


def ours(text: str) -> str:
    """The variables here."""
    body, functions = _split(text)
    with eager(0):
        return _unsigned(Machine().run(f"{body}\n{_dumps()}\n{functions}\n{DUMP}", FILE))


def theirs(texts: list[str], folder: Path) -> list[str]:
    """The variables there, of each text in turn, in one process; it ends at the first error."""
    parts = [_split(t) for t in texts]
    bodies = "\n".join(f"{body}\n{_dumps()}\nclear -variables" for body, _ in parts)
    script = folder / "program.m"
    functions = "".join(f for _, f in parts)
    script.write_text(f"1;\n{functions}\n{DUMP}\n{bodies}\n", encoding="utf-8")
    command = ["octave-cli", "-f", "--no-history", str(script)]
    done: Any = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return [f"{part}{END}\n" for part in _unsigned(done.stdout).split(f"{END}\n")[:-1]]


def _unsigned(text: str) -> str:
    """Zeros have no sign here."""
    return re.sub(r"(?<= )-0(?=[ ;])", "0", text)


def plain_program(seed: int) -> str:
    """A random program without what has no counterpart."""
    text = Writer(seed).program().replace("disp(a)", "a = a;")
    lines = text.split("\nfunction r = plain")[0].split("\n")
    return "\n".join(x for x in lines if x.startswith(("k =", "t =")) or not _OWN.search(x))
