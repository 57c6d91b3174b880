"""Showing files, and hashes of data: type, hash."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from app.engine.declarations.registry import builtin, lookup
from app.engine.values import Value, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "files"


@builtin(
    "type",
    reads_file=True,
    category=_FAMILY,
    signatures=("type file", "text = type('file')"),
    cases=("writelines(\"x = 1;\", 'x.m'); contains(evalc('type x.m'), 'x = 1;')",),
    see=("fileread", "which"),
)
def type_(ctx: Context, *names: Value, nargout: int = 0) -> Value:
    """Show the text of a file or function."""
    shown = [_content(ctx, text_of(n)) for n in names]
    if nargout:
        return "\n".join(shown)
    for text in shown:
        ctx.write(f"\n{text}\n")
    return ()


def _content(ctx: Context, name: str) -> str:
    path = Path(name).expanduser()
    found = path if path.is_file() else Path(f"{name}.m")
    if not found.is_file():
        place = ctx.path.find(name)
        if place is None:
            if lookup(name) is not None:
                return f"'{name}' is a built-in function."
            text = f"File or function '{name}' not found."
            raise MatlabError("MATLAB:type:fileNotFound", text)
        found = Path(str(place))
    paths.check_file(found)
    return found.read_text(encoding="utf-8", errors="replace")


@builtin(
    "hash",
    category="numbers as text",
    signatures=("text = hash(kind, text)",),
    cases=("strcmp(hash('md5', 'abc'), '900150983cd24fb0d6963f7d28e17f72')",),
)
def hash_(kind: Value, text: Value) -> Value:
    """Hash of a text in hexadecimal: md5, sha1, sha224, sha256, sha384, sha512 (Octave's)."""
    word = text_of(kind).lower()
    if word not in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        raise MatlabError("Octave:undefined-function", f"hash: unknown hash type '{word}'")
    made = hashlib.new(word, usedforsecurity=False)
    made.update(text_of(text).encode("utf-8", "surrogatepass"))
    return made.hexdigest()
