"""Archives and compressed files: zip, unzip, tar, untar, gzip, gunzip."""

from __future__ import annotations

import glob
import gzip
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.files.folders import guard
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, Value, object_array, text_of, texts_of
from app.errors import MatlabError

_FAMILY = "files"


def _row_of_texts(paths: list[str]) -> Value:
    return Cell(object_array(paths, (1, len(paths))))


def _sources(files: Value, root: Value, function: str) -> list[tuple[Path, str]]:
    """Files that patterns mean, with their names in an archive; folders with all in them."""
    base = Path(text_of(root)).expanduser()
    found: list[tuple[Path, str]] = []
    for pattern in texts_of(files):
        matches = sorted(glob.glob(str(base / pattern)))  # noqa: PTH207 - patterns may be absolute
        if not matches:
            text = f"File '{pattern}' not found."
            raise MatlabError(f"MATLAB:{function}:noEntries", text)
        for match in map(Path, matches):
            inside = (
                [p for p in sorted(match.rglob("*")) if p.is_file()] if match.is_dir() else [match]
            )
            for file in inside:
                paths.check_file(file)
            top = match.parent if Path(pattern).is_absolute() else base
            found += [(p, str(p.relative_to(top))) for p in inside]
    return found


def _filled_archive(
    path: Path, make: Callable[[Path], Any], add: str, sources: list[tuple[Path, str]]
) -> Value:
    """Put files into a new archive by its method ``add``, and list their names there."""
    with paths.written_whole(path) as part, make(part) as archive:
        for source, inner in sources:
            getattr(archive, add)(source, inner)
    return _row_of_texts([inner for _, inner in sources])


def _extracted_names(
    ctx: CallContext,
    function: str,
    name: Value,
    folder: Value,
    extract: Callable[[Path, Path], list[str]],
) -> Value:
    """Take all files out of an archive, and list where they are; ``extract`` does that."""
    guard(ctx, function)
    path, target = Path(text_of(name)).expanduser(), Path(text_of(folder)).expanduser()
    if not path.is_file():
        text = f"Archive '{path}' not found."
        raise MatlabError(f"MATLAB:{function}:archiveNotFound", text)
    try:
        return _row_of_texts(extract(path, target))
    except (zipfile.BadZipFile, tarfile.TarError) as problem:
        form = function.removeprefix("un")
        why = str(problem).partition(":\n")[0]  # tarfile goes on with what each compression said
        text = f"Invalid {form.upper()} file '{path}': {why}."
        raise MatlabError(f"MATLAB:{function}:invalid{form.capitalize()}File", text) from problem


@builtin(
    "zip",
    category=_FAMILY,
    signatures=("zip(archive, files)", "names = zip(archive, files, folder)"),
    cases=("writelines(\"\", 'a.txt'); zip('a.zip', 'a.txt'); isfile('a.zip')",),
    see=("unzip",),
)
def zip_(name: Value, files: Value, root: Value = ".") -> Value:
    """Put files into a ZIP archive."""
    path = Path(text_of(name)).expanduser()
    path = path if path.suffix else path.with_suffix(".zip")
    sources = _sources(files, root, "zip")
    make = partial(zipfile.ZipFile, mode="w", compression=zipfile.ZIP_DEFLATED)
    return _filled_archive(path, make, "write", sources)


@builtin(
    "unzip",
    category=_FAMILY,
    signatures=("unzip(archive)", "names = unzip(archive, folder)"),
    cases=(
        "writelines(\"\", 'a.txt'); zip('a.zip', 'a.txt'); unzip('a.zip', 'out'); "
        "isfile('out/a.txt')",
    ),
    see=("zip",),
)
def unzip(ctx: CallContext, name: Value, folder: Value = ".") -> Value:
    """Take the files out of a ZIP archive."""
    return _extracted_names(ctx, "unzip", name, folder, _from_zip)


def _from_zip(path: Path, target: Path) -> list[str]:
    made: list[str] = []
    with zipfile.ZipFile(path) as archive:
        _check_apart(archive.infolist())
        for member in archive.infolist():
            parts = _parts(member.filename)
            if _leads_through_link(target, parts):
                text = f"'{member.filename}' would be extracted through a link"
                raise zipfile.BadZipFile(text)
            _without_link(target.joinpath(*parts))
            member.filename = "/".join(parts) + "/" * member.is_dir()
            made.append(archive.extract(member, target))
    return made


_LEAST_HEADER = 30
"""Bytes before a member's name in a ZIP archive."""


def _check_apart(members: list[zipfile.ZipInfo]) -> None:
    """Refuse members that share their bytes: thousands of large files out of a small archive."""
    ordered = sorted(members, key=lambda member: member.header_offset)
    for member, behind in pairwise(ordered):
        size = _LEAST_HEADER + member.compress_size
        if member.header_offset + size > behind.header_offset:
            raise zipfile.BadZipFile(f"'{member.filename}' and '{behind.filename}' overlap")


def _parts(name: str) -> list[str]:
    """The folders of a member's name, and its own, below the one that it is extracted to."""
    return [part for part in name.split("/") if part not in {"", ".", ".."}]


def _leads_through_link(target: Path, parts: list[str]) -> bool:
    """Whether one of the folders of a member is a link."""
    _, *folders = accumulate(parts[:-1], Path.joinpath, initial=target)
    return any(folder.is_symlink() for folder in folders)


def _without_link(place: Path) -> None:
    """Remove a link in the place of a member, which would be written through it."""
    if place.is_symlink():
        place.unlink()


@builtin(
    "tar",
    category=_FAMILY,
    signatures=("tar(archive, files)", "names = tar(archive, files, folder)"),
    cases=("writelines(\"\", 'a.txt'); tar('a.tar', 'a.txt'); isfile('a.tar')",),
    see=("untar",),
)
def tar(name: Value, files: Value, root: Value = ".") -> Value:
    """Put files into a TAR archive, compressed when its name ends in gz."""
    path = Path(text_of(name)).expanduser()
    sources = _sources(files, root, "tar")
    packed = path.suffix in (".gz", ".tgz")
    make = partial(tarfile.open, mode="w:gz" if packed else "w")
    return _filled_archive(path, make, "add", sources)


@builtin(
    "untar",
    category=_FAMILY,
    signatures=("untar(archive)", "names = untar(archive, folder)"),
    cases=(
        "writelines(\"\", 'a.txt'); tar('a.tar', 'a.txt'); untar('a.tar', 'out'); "
        "isfile('out/a.txt')",
    ),
    see=("tar",),
)
def untar(ctx: CallContext, name: Value, folder: Value = ".") -> Value:
    """Take the files out of a TAR archive."""
    return _extracted_names(ctx, "untar", name, folder, _from_tar)


def _from_tar(path: Path, target: Path) -> list[str]:
    made: list[str] = []

    def inside(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
        _check_member(member, target)
        place = target.joinpath(*_parts(member.name))
        _without_link(place)
        made.append(str(place))
        return tarfile.data_filter(member, folder)

    with tarfile.open(path) as archive:
        archive.extractall(target, filter=inside)  # noqa: S202 - the filter keeps members inside
    return made


def _check_member(member: tarfile.TarInfo, target: Path) -> None:
    """Raise TarError where a member, or what it is a link to, may lie outside the folder.

    The library asks where links lead, and is told nothing beyond the longest path of the system: so
    nothing is extracted through a link, and links go up first and then down, without a way out.
    """
    parts = _parts(member.name)
    if ".." in member.name.split("/") or _leads_through_link(target, parts):
        raise tarfile.OutsideDestinationError(member, member.name)
    ways = [part for part in member.linkname.split("/") if part not in {"", "."}]
    up = next((k for k, part in enumerate(ways) if part != ".."), len(ways))
    if member.issym():
        bad = up >= len(parts) or ".." in ways[up:]
    else:
        file = target.joinpath(*ways)
        bad = member.islnk() and (
            ".." in ways
            or _leads_through_link(target, ways)
            or file.is_symlink()
            or not file.is_file()
        )
    if bad:
        raise tarfile.LinkOutsideDestinationError(member, member.linkname)


@builtin(
    "gzip",
    category=_FAMILY,
    signatures=("names = gzip(files)", "gzip(files, folder)"),
    cases=("writelines(\"one\", 'a.txt'); gzip('a.txt'); isfile('a.txt.gz')",),
    see=("gunzip",),
)
def gzip_(files: Value, folder: Value | None = None) -> Value:
    """Compress files, each into one of its own."""
    made: list[str] = []
    for source, _ in _sources(files, ".", "gzip"):
        target = _folder_of(source, folder) / f"{source.name}.gz"
        with (
            source.open("rb") as reader,
            paths.written_whole(target) as part,
            part.open("wb") as stream,
            gzip.GzipFile(source.name, "wb", fileobj=stream) as writer,
        ):
            shutil.copyfileobj(reader, writer)
        made.append(str(target))
    return _row_of_texts(made)


@builtin(
    "gunzip",
    category=_FAMILY,
    signatures=("names = gunzip(files)", "gunzip(files, folder)"),
    cases=(
        "writelines(\"one\", 'a.txt'); gzip('a.txt'); delete('a.txt'); "
        "gunzip('a.txt.gz'); isfile('a.txt')",
    ),
    see=("gzip",),
)
def gunzip(files: Value, folder: Value | None = None) -> Value:
    """Expand files that gzip made."""
    made: list[str] = []
    for source, _ in _sources(files, ".", "gunzip"):
        target = _folder_of(source, folder) / source.name.removesuffix(".gz")
        with (
            gzip.open(source, "rb") as reader,
            paths.written_whole(target) as part,
            part.open("wb") as writer,
        ):
            shutil.copyfileobj(reader, writer)
        made.append(str(target))
    return _row_of_texts(made)


def _folder_of(source: Path, folder: Value | None) -> Path:
    """The folder for what is made of a file, which is made if need be: by default the file's."""
    if folder is None:
        return source.parent
    place = Path(text_of(folder)).expanduser()
    place.mkdir(parents=True, exist_ok=True)
    return place
