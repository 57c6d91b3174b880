"""Octave's ``pkg``: finds installed packages and puts their folders on the search path."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, Struct, Value, object_array, text_of
from app.errors import MatlabError

_FAMILY = "session"
_PREFIX = "octave package prefix"
_PLACES = (
    "~/.local/share/octave/*/packages",
    "~/.local/share/octave/packages",
    "~/octave",
    "/usr/local/share/octave/packages",
    "/usr/share/octave/packages",
)
BUILT_IN = {
    "control": "tf step bode lqr",
    "data-smoothing": "smoothdata",
    "datatypes": "table datetime",
    "image": "imresize imfilter bwlabel",
    "io": "xlsread xlswrite csvread",
    "linear-algebra": "null orth expm",
    "odepkg": "ode45 ode23 odeset",
    "optim": "fmincon lsqnonneg linprog quadprog",
    "parallel": "parfeval gcp",
    "signal": "butter filtfilt freqz",
    "statistics": "normpdf norminv kstest kmeans",
    "strings": "regexprep strjoin",
    "struct": "setfield getfield",
    "tablicious": "table datetime",
}
"""Packages whose functions are builtins here, each with some of them."""
_NOT_ON_PATH = frozenset({"private", "packinfo", "doc", "bin"})
_OPTIONS = ("-verbose", "-nodeps", "-auto", "-noauto", "-local", "-global", "-forge")


@dataclass(frozen=True)
class Package:
    """One installed package: its name, its version and its folder."""

    name: str
    version: str
    folder: Path

    def folders(self) -> list[str]:
        """The folders that go on the search path."""
        found = [self.folder]
        for inner in sorted(p for p in self.folder.rglob("*") if p.is_dir()):
            parts = inner.relative_to(self.folder).parts
            if not any(p in _NOT_ON_PATH or p[0] in "@+." for p in parts):
                found.append(inner)
        return [str(p) for p in found]

    def needs(self) -> list[str]:
        """Names of the packages that its description says it depends on."""
        said = re.search(r"(?mi)^depends:(.*(?:\n[ \t].*)*)", _description(self.folder))
        words = [] if said is None else [p.split("(")[0].strip() for p in said[1].split(",")]
        return [w for w in words if w and w != "octave"]


def _description(folder: Path) -> str:
    for place in (folder / "packinfo" / "DESCRIPTION", folder / "DESCRIPTION"):
        if place.is_file():
            return place.read_text(encoding="utf-8", errors="replace")
    return ""


def _package(folder: Path) -> Package | None:
    """The package in a folder: named by its description, or by the folder ``name-1.2.3``."""
    said = dict(re.findall(r"(?mi)^(name|version):[ \t]*(\S+)", _description(folder)))
    said = {k.lower(): v for k, v in said.items()}
    named = re.fullmatch(r"(.+?)-(\d[\w.+-]*)", folder.name)
    if "name" not in said and named is None:
        return None
    name = said.get("name") or (named[1] if named else folder.name)
    return Package(name.lower(), said.get("version") or (named[2] if named else "0"), folder)


def installed(ctx: CallContext) -> dict[str, Package]:
    """The packages in the user's Octave folders, the newest of each name."""
    prefix = ctx.state.get(_PREFIX)
    places = [Path(prefix)] if prefix else []
    for place in _PLACES:
        whole = Path(place).expanduser()
        places += sorted(Path(whole.anchor).glob(str(whole.relative_to(whole.anchor))))
    folders = [d for p in places if p.is_dir() for d in sorted(p.iterdir()) if d.is_dir()]
    found: dict[str, Package] = {}
    for package in filter(None, map(_package, folders)):
        if package.name not in found or _order(package) > _order(found[package.name]):
            found[package.name] = package
    return found


def _order(package: Package) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", package.version))


def _is_on_path(ctx: CallContext, package: Package) -> bool:
    return str(package.folder) in text_of(ctx.call("path", (), 1)[0]).split(os.pathsep)


def _named(names: list[str], known: dict[str, Package]) -> list[str]:
    """The names, where ``all`` alone means every known one."""
    return list(known) if names == ["all"] else names


def _load(ctx: CallContext, names: list[str], with_needs: bool) -> None:
    known = installed(ctx)
    waiting = [n.lower() for n in _named(names, known)]
    chosen: list[Package] = []
    while waiting:
        name = waiting.pop(0)
        if name in known and known[name] not in chosen:
            chosen.append(known[name])
            waiting += known[name].needs() if with_needs else []
        elif name not in known and name not in BUILT_IN:
            text = f"package {name} is not installed"
            raise MatlabError("Octave:undefined-function", text)
    folders = [f for p in chosen for f in p.folders()]
    if folders:
        ctx.call("addpath", tuple(folders), 0)


def _unload(ctx: CallContext, names: list[str]) -> None:
    known = installed(ctx)
    loaded = {name: package for name, package in known.items() if _is_on_path(ctx, package)}
    for name in (n.lower() for n in _named(names, loaded)):
        if name in known and _is_on_path(ctx, known[name]):
            ctx.call("rmpath", tuple(known[name].folders()), 0)
        elif name not in BUILT_IN:
            text = f"package {name} is not loaded"
            raise MatlabError("Octave:undefined-function", text)


def _list(ctx: CallContext, names: list[str], nargout: int) -> Value:
    known = [p for n, p in sorted(installed(ctx).items()) if not names or n in names]
    if nargout:
        items = [
            Struct(
                {
                    "name": p.name,
                    "version": p.version,
                    "dir": str(p.folder),
                    "loaded": _is_on_path(ctx, p),
                }
            )
            for p in known
        ]
        return Cell(object_array(items, (1, len(items))))
    if not known:
        ctx.write("no packages installed.\n")
        return ()
    wide = max(len("Package Name"), *(len(p.name) + 2 for p in known))
    ctx.write(f"{'Package Name':<{wide}} | Version | Installation directory\n")
    ctx.write(f"{'-' * wide}-+---------+-----------------------\n")
    for p in known:
        mark = " *" if _is_on_path(ctx, p) else ""
        ctx.write(f"{p.name + mark:>{wide}} | {p.version:>7} | {p.folder}\n")
    return ()


def _prefix(ctx: CallContext, names: list[str], nargout: int) -> Value:
    if names:
        ctx.state[_PREFIX] = str(Path(names[0]).expanduser().absolute())
    where = str(ctx.state.get(_PREFIX) or Path("~/.local/share/octave/packages").expanduser())
    if nargout:
        return where
    if not names:
        ctx.write(f"Installation prefix:             {where}\n")
    return ()


@builtin(
    "pkg",
    category=_FAMILY,
    least=1,
    device=HostOnly("looks for folders, never at data", lazy=True),
    signatures=(
        "pkg load name ...",
        "pkg unload name ...",
        "pkg list",
        "packages = pkg('list')",
        "pkg prefix folder",
    ),
    cases=("pkg('load', 'statistics'); abs(normpdf(0) - 0.39894) < 1e-5",),
    see=("addpath",),
)
def pkg(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Octave's packages: those of the user's folders go on the search path.

    The folders are ``~/octave``, ``~/.local/share/octave``, ``/usr/share/octave/packages`` and
    that of ``pkg prefix``. Packages whose functions are built in need not be installed.
    """
    action, *names = [text_of(a) for a in args]
    flags = [n for n in names if n.startswith("-")]
    for flag in flags:
        if flag not in _OPTIONS:
            raise MatlabError("Octave:undefined-function", f"pkg: unrecognized option {flag}")
    names = [n for n in names if not n.startswith("-")]
    if action in ("load", "unload") and not names:
        text = f"pkg: {action} action requires at least one package name"
        raise MatlabError("Octave:undefined-function", text)
    if action == "load":
        _load(ctx, names, "-nodeps" not in flags)
    elif action == "unload":
        _unload(ctx, names)
    elif action == "list":
        return _list(ctx, names, nargout)
    elif action == "prefix":
        return _prefix(ctx, names, nargout)
    elif action in ("install", "update", "uninstall", "build", "rebuild", "describe", "test"):
        text = f"pkg {action} is not supported: install packages with Octave, then pkg load them."
        raise MatlabError("Octave:undefined-function", text)
    else:
        text = "pkg: invalid action.  See 'help pkg' for available actions"
        raise MatlabError("Octave:undefined-function", text)
    return ()
