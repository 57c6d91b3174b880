"""Files and folders on the disk, and the system."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from app import restricted
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import unknown_option
from app.engine.builtins.files.shell_command import finished_command
from app.engine.declarations.registry import builtin
from app.engine.interpreter.context import Context
from app.engine.values import (
    Cell,
    StringArray,
    Struct,
    StructArray,
    Value,
    float_of,
    is_cell,
    is_char,
    is_string,
    is_text_scalar,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError, refused_access
from app.paths import check_file, exists, is_folder

_FAMILY = "files"


def _path(v: Value) -> Path:
    return Path(text_of(v)).expanduser()


def _status(problem: OSError | None, identifier: str, nargout: int) -> Value:
    """``[status, message, identifier]``, or an error when no output was asked for."""
    if problem is None:
        return (True, "", "") if nargout else None
    message = refused_access(problem) or problem.strerror or str(problem)
    if isinstance(problem, shutil.Error):  # of a folder, of which some files were copied
        message = "; ".join(f"'{source}' was left out: {why}" for source, _, why in problem.args[0])
    if nargout == 0:
        raise MatlabError(identifier, message)
    return False, message, identifier


def guard(ctx: CallContext, what: str) -> None:
    """Refuse a dangerous call in a restricted run."""
    if getattr(ctx.settings, "restricted", False):
        raise restricted.error(f"'{what}'")


@builtin(
    "fullfile",
    category=_FAMILY,
    signatures=("f = fullfile(part1, part2, ...)",),
    cases=(
        "strcmp(fullfile('a', 'b', 'c.m'), ['a' filesep 'b' filesep 'c.m'])",
        "isequal(fullfile('a', cell(1, 0)), cell(1, 0)) && isequal(fullfile({}, 'a'), {})",
    ),
    see=("fileparts", "filesep"),
)
def fullfile(*parts: Value) -> Value:
    """Join parts of a path with the separator of the system."""
    if any(is_cell(p) or (is_string(p) and numel(p) != 1) for p in parts):
        lists = [texts_of(p) for p in parts]
        longest = min(lists, key=len) if [] in lists else max(lists, key=len)
        if {len(v) for v in lists} - {1, len(longest)}:
            text = "All lists of parts must have the same size."
            raise MatlabError("MATLAB:fullfile:CellstrSizeMismatch", text)
        spread = [v * len(longest) if len(v) == 1 else v for v in lists]
        joined = [_join(list(row)) for row in zip(*spread, strict=True)]
        shape = size_of(parts[lists.index(longest)]) if len(joined) != 1 else (1, 1)
        data = object_array(joined, shape)
        return Cell(data) if any(is_cell(p) for p in parts) else StringArray(data)
    text = _join([text_of(p) for p in parts if numel(p) or is_string(p)])
    return StringArray.scalar(text) if any(is_string(p) for p in parts) else text


def _join(parts: list[str]) -> str:
    result = ""
    for part in (p for p in parts if p):
        if result and not result.endswith(os.sep):
            result += os.sep
        result += part.removeprefix(os.sep) if result.endswith(os.sep) and result else part
    return _REPEATED.sub("/", result) if os.sep == "/" else result


_REPEATED = re.compile(r"(?<=[^/])/+(?:\./+)*")
"""Separators, and steps to the folder itself, that stand one behind the other within a path."""


@builtin(
    "fileparts",
    category=_FAMILY,
    signatures=("[folder, name, extension] = fileparts(file)",),
    cases=("strcmp(fileparts('/a/b/c.m'), '/a/b')",),
    see=("fullfile",),
)
def fileparts(file: Value) -> Value:
    """Folder, name and extension of a path."""
    if isinstance(file, Cell | StringArray) and numel(file) != 1:
        parts = zip(*map(_path_parts, texts_of(file)), strict=True)
        return tuple(type(file)(object_array(list(p), file.shape)) for p in parts)
    if not is_text_scalar(file):
        text = "Input must be a row vector of characters, or a string scalar."
        raise MatlabError("MATLAB:fileparts:MustBeChar", text)
    if is_string(file):
        return tuple(StringArray.scalar(part) for part in _path_parts(text_of(file)))
    return _path_parts(text_of(file))


def _path_parts(text: str) -> tuple[str, str, str]:
    cut = max(text.rfind("/"), text.rfind(os.sep))
    folder, rest = text[: max(cut, 0)], text[cut + 1 :]
    if cut == 0:
        folder = text[0]
    dot = rest.rfind(".")
    return (folder, rest, "") if dot < 0 else (folder, rest[:dot], rest[dot:])


@builtin(
    "filesep",
    category=_FAMILY,
    signatures=("s = filesep()",),
    cases=("numel(filesep) == 1",),
    see=("fullfile", "pathsep"),
)
def filesep() -> Value:
    """Separator of folders in paths."""
    return os.sep


@builtin(
    "pathsep",
    category=_FAMILY,
    signatures=("s = pathsep()",),
    cases=("numel(pathsep) == 1",),
    see=("filesep",),
)
def pathsep() -> Value:
    """Separator of entries in a search path."""
    return os.pathsep


def _kind(name: Value, test: Callable[[Path], bool]) -> Value:
    if is_cell(name) or (is_string(name) and numel(name) != 1):
        flags = [test(Path(t).expanduser()) for t in texts_of(name)]
        return np.array(flags).reshape(name.shape, order="F")
    if not (is_char(name) or is_string(name)):
        text = "Input must be a character vector, string array or cell array of character vectors."
        raise MatlabError("MATLAB:string:MustBeTextOrCellOfText", text)
    return bool(text_of(name) and test(_path(name)))


def _is_no_folder(path: Path) -> bool:
    """Whether something lies there that is read or written as a file, devices among it."""
    return exists(path) and not is_folder(path)


@builtin(
    "isfile",
    category=_FAMILY,
    signatures=("tf = isfile(name)",),
    cases=("~isfile('/no/such/file')",),
    see=("isfolder", "exist"),
)
def isfile(name: Value) -> Value:
    """True when a file of that name exists."""
    return _kind(name, _is_no_folder)


@builtin(
    "isfolder",
    category=_FAMILY,
    signatures=("tf = isfolder(name)",),
    cases=("isfolder(pwd)", "~isfolder('')"),
    see=("isfile", "mkdir"),
)
def isfolder(name: Value) -> Value:
    """True when a folder of that name exists."""
    return _kind(name, is_folder)


@builtin(
    "isdir",
    category=_FAMILY,
    signatures=("tf = isdir(name)",),
    cases=("isdir(pwd)",),
    see=("isfolder",),
)
def isdir(name: Value) -> Value:
    """True when a folder of that name exists; the newer name is ``isfolder``."""
    return _kind(name, is_folder) if is_char(name) or is_string(name) else False


@builtin(
    "mkdir",
    category=_FAMILY,
    signatures=("[status, message, id] = mkdir(folder)", "status = mkdir(parent, folder)"),
    cases=("mkdir('made'); isfolder('made')",),
    see=("rmdir", "isfolder"),
)
def mkdir(parent: Value, folder: Value | None = None, *, nargout: int = 0) -> Value:
    """Make a folder with its missing parents; success when it is there already."""
    target = _path(parent) if folder is None else _path(parent) / text_of(folder)
    if target.is_dir():
        return (
            (True, "Directory already exists.", "MATLAB:MKDIR:DirectoryExists")
            if (nargout)
            else None
        )
    try:
        target.mkdir(parents=True)
    except OSError as problem:
        return _status(problem, "MATLAB:MKDIR:OSError", nargout)
    return _status(None, "", nargout)


@builtin(
    "rmdir",
    category=_FAMILY,
    signatures=("[status, message, id] = rmdir(folder)", "status = rmdir(folder, 's')"),
    cases=("mkdir('made'); rmdir('made'); ~isfolder('made')",),
    see=("mkdir", "delete"),
)
def rmdir(folder: Value, flag: Value = "", *, nargout: int = 0) -> Value:
    """Remove an empty folder, or with ``'s'`` a folder and all in it."""
    target = _path(folder)
    try:
        if text_of(flag) == "s":
            shutil.rmtree(target)
        else:
            target.rmdir()
    except OSError as problem:
        return _status(problem, "MATLAB:RMDIR:DirectoryNotRemoved", nargout)
    return _status(None, "", nargout)


def _transfer(source: Value, target: Value | None, nargout: int, name: str) -> Value:
    place = _path(target) if target is not None else Path()
    pattern = text_of(source)
    found = (
        sorted(_path(source).parent.glob(Path(pattern).name))
        if "*" in pattern
        else ([_path(source)])
    )
    action = shutil.move if name == "MOVEFILE" else _copy
    try:
        if not found:
            raise FileNotFoundError(2, "No matching files were found.")
        for item in found:
            action(str(item), str(place))
    except OSError as problem:
        return _status(problem, f"MATLAB:{name}:OSError", nargout)
    return _status(None, "", nargout)


def _copy(source: str, target: str) -> object:
    if Path(source).is_dir():
        return shutil.copytree(source, target, copy_function=_copy_file, dirs_exist_ok=True)
    return _copy_file(source, target)


def _copy_file(source: str, target: str) -> object:
    check_file(Path(source))  # a device has no end
    if not restricted.is_on():
        return shutil.copy2(source, target)
    place = Path(target)  # times and modes are not a restricted script's to set
    return shutil.copyfile(source, place / Path(source).name if place.is_dir() else place)


def _only_force(name: str, flag: Value) -> None:
    if not is_text_scalar(flag) or text_of(flag) not in ("", "f"):
        raise unknown_option(name, flag, "f")


@builtin(
    "copyfile",
    category=_FAMILY,
    signatures=("[status, message, id] = copyfile(source, destination)",),
    cases=("writelines('a', 'a.txt'); copyfile('a.txt', 'b.txt'); isfile('b.txt')",),
    see=("movefile", "delete"),
)
def copyfile(
    source: Value, target: Value | None = None, flag: Value = "", *, nargout: int = 0
) -> Value:
    """Copy files or folders; ``*`` stands for any text, 'f' writes over what is there."""
    _only_force("copyfile", flag)
    return _transfer(source, target, nargout, "COPYFILE")


@builtin(
    "movefile",
    category=_FAMILY,
    signatures=("[status, message, id] = movefile(source, destination)",),
    cases=(
        "writelines(\"\", 'a.txt'); movefile('a.txt', 'b.txt'); "
        "isfile('b.txt') && ~isfile('a.txt')",
    ),
    see=("copyfile",),
)
def movefile(
    source: Value, target: Value | None = None, flag: Value = "", *, nargout: int = 0
) -> Value:
    """Move or rename files or folders; 'f' writes over what is there."""
    _only_force("movefile", flag)
    return _transfer(source, target, nargout, "MOVEFILE")


@builtin(
    "tempdir",
    category=_FAMILY,
    signatures=("folder = tempdir()",),
    cases=("isfolder(tempdir)",),
    see=("tempname",),
)
def tempdir() -> Value:
    """Folder for temporary files, with a separator at its end."""
    return tempfile.gettempdir().rstrip(os.sep) + os.sep


@builtin(
    "tempname",
    category=_FAMILY,
    signatures=("name = tempname()", "name = tempname(folder)"),
    cases=("~isfile(tempname)",),
    see=("tempdir",),
)
def tempname(folder: Value | None = None) -> Value:
    """A name that no file has yet."""
    place = tempfile.gettempdir() if folder is None else text_of(folder)
    unique = f"tp{time.time_ns():x}_{os.getpid():x}_{os.urandom(4).hex()}"
    return str(Path(place) / unique)


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ENTRY = ("name", "folder", "date", "bytes", "isdir", "datenum")


@builtin(
    "dir",
    category=_FAMILY,
    signatures=("dir(name)", "files = dir(name)"),
    cases=("isequal({dir(tempdir)(1:2).name}, {'.', '..'})",),
    see=("ls", "isfile"),
)
def dir_(ctx: CallContext, name: Value = ".", *, nargout: int = 0) -> Value:
    """List files: a struct array with name, folder, date, bytes, isdir, datenum.

    ``*`` stands for any text, ``**`` for folders at any depth.
    """
    found = _listing(text_of(name) or ".")
    if nargout == 0:
        ctx.write("".join(f"{shown_name(entry)}\n" for _, entry in found))
        return None
    entries = [e for e in (_entry(*f) for f in found) if e is not None]
    return StructArray.of(entries, (len(entries), 1), _ENTRY)


def shown_name(name: str) -> str:
    """A file's name as listings show it: a terminal would do what control characters tell it."""
    return _CONTROLS.sub("?", name)


def _listing(text: str) -> list[tuple[Path, str]]:
    """Folder and name of everything that ``text`` stands for."""
    place = Path(text).expanduser()
    if place.is_dir():
        return [(place, name) for name in (".", "..", *sorted(p.name for p in place.iterdir()))]
    if "*" in text or "?" in text:
        first = next(k for k, part in enumerate(place.parts) if "*" in part or "?" in part)
        root = Path(*place.parts[:first]) if first else Path()
        found = sorted(root.glob(str(Path(*place.parts[first:]))), key=str)
        return [(p.parent, p.name) for p in found]
    return [(place.parent, place.name)] if place.exists() else []


def _entry(folder: Path, name: str) -> Struct | None:
    """What is known of a file; None if it has gone since it was listed."""
    path = folder / name
    try:
        facts = path.stat() if path.exists() else path.lstat()
    except FileNotFoundError:
        return None
    stamp = time.localtime(facts.st_mtime)
    date = time.strftime("%d-%b-%Y %H:%M:%S", stamp)
    days = 719529.0 + (facts.st_mtime + stamp.tm_gmtoff) / 86400
    return Struct(
        {
            "name": name,
            "folder": str(folder.resolve()),
            "date": date,
            "bytes": 0.0 if path.is_dir() else float(facts.st_size),
            "isdir": path.is_dir(),
            "datenum": days,
        }
    )


@builtin(
    "ls",
    category=_FAMILY,
    signatures=("ls(name)", "list = ls(name)"),
    cases=("writelines(\"\", 'a.txt'); contains(ls, 'a.txt')",),
    see=("dir",),
)
def ls(ctx: CallContext, name: Value = ".", *, nargout: int = 0) -> Value:
    """List the names of files."""
    names = [n for _, n in _listing(text_of(name)) if n not in {".", ".."}]
    if nargout:
        return "".join(f"{n}\n" for n in names)
    ctx.write("".join(f"{shown_name(n)}\n" for n in names))
    return None


@builtin(
    "system",
    words="-echo",
    category="system",
    signatures=("[status, output] = system(command)", "status = system(command, '-echo')"),
    cases=("system('exit 3') == 3",),
    see=("getenv",),
)
def system(ctx: Context, command: Value, *flags: Value, nargout: int = 0) -> Value:
    """Run a command of the operating system; its output goes to the second output, or is shown."""
    guard(ctx, "system")
    done = finished_command(text_of(command), ctx.host.poll)
    output = done.stdout + done.stderr
    if nargout < 2 or "-echo" in [text_of(f) for f in flags if is_char(f)]:
        ctx.write(output)
    return (float(done.returncode), output) if nargout else None


def declare_shell(name: str, example: str) -> None:
    """Declare an older name of ``system``."""

    def run(ctx: Context, command: Value, *flags: Value, nargout: int = 0) -> Value:
        return system(ctx, command, *flags, nargout=nargout)

    builtin(
        name,
        category="system",
        signatures=(f"[status, output] = {name}(command)",),
        text="Run a command of the operating system; the portable name is ``system``.",
        cases=(example,),
        see=("system",),
    )(run)


declare_shell("unix", "[status, text] = unix('echo hi'); status == 0 && startsWith(text, 'hi')")
declare_shell("dos", "[status, text] = dos('echo hi'); status == 0 && startsWith(text, 'hi')")


@builtin(
    "computer",
    category="system",
    signatures=(
        "name = computer()",
        "[name, maxsize, endian] = computer()",
        "arch = computer('arch')",
    ),
    cases=("ischar(computer)",),
    see=("ispc", "version"),
)
def computer(what: Value = "") -> Value:
    """Kind of computer: PCWIN64, GLNXA64 or MACA64/MACI64, largest array, byte order."""
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    names = {"win32": "PCWIN64", "darwin": "MACA64" if arm else "MACI64"}
    name = names.get(sys.platform, "GLNXA64")
    if text_of(what) not in ("", "arch"):
        raise MatlabError("MATLAB:computer:invalidOption", "The only option is 'arch'.")
    if text_of(what) == "arch":
        return {"PCWIN64": "win64", "GLNXA64": "glnxa64"}.get(name, name.lower())
    return name, 2.0**48 - 1, "L" if sys.byteorder == "little" else "B"


def declare_platform(name: str, platforms: tuple[str, ...], summary: str) -> None:
    """Declare a question about the operating system."""

    def ask() -> Value:
        return sys.platform.startswith(platforms)

    builtin(
        name,
        category="system",
        signatures=(f"tf = {name}()",),
        text=summary,
        cases=("islogical(" + name + ")",),
        see=("computer",),
    )(ask)


declare_platform("ispc", ("win32",), "True on Windows.")
declare_platform("ismac", ("darwin",), "True on macOS.")
declare_platform("isunix", ("linux", "darwin", "freebsd"), "True on Linux and macOS.")


@builtin(
    "getpid",
    category="system",
    signatures=("id = getpid()",),
    cases=("getpid() > 0",),
    see=("system",),
)
def getpid() -> Value:
    """Number of this process."""
    return float(os.getpid())


_FEATURES: dict[str, Callable[[], Value]] = {
    "getpid": lambda: float(os.getpid()),
    "numcores": lambda: float(os.cpu_count() or 1),
    "numthreads": lambda: float(os.cpu_count() or 1),
    "hotlinks": lambda: 0.0,
    "defaultcharacterset": lambda: "UTF-8",
}


@builtin(
    "feature",
    category="system",
    signatures=("x = feature(name)",),
    cases=("feature('getpid') == getpid", "strcmp(feature('DefaultCharacterSet'), 'UTF-8')"),
    see=("computer", "version"),
)
def feature(name: Value) -> Value:
    """A fact about this program: getpid, numcores, numthreads, hotlinks, DefaultCharacterSet."""
    found = _FEATURES.get(text_of(name).lower())
    if found is None:
        text = f"Feature {text_of(name)!r} is not known: {', '.join(_FEATURES)} are."
        raise MatlabError("MATLAB:feature:FeatureNotFound", text)
    return found()


@builtin(
    "nproc",
    category="system",
    signatures=("n = nproc()",),
    cases=("nproc() >= 1",),
    see=("computer",),
)
def nproc() -> Value:
    """Number of processors this process may use."""
    return float(os.cpu_count() or 1)


@builtin(
    "maxNumCompThreads",
    words="automatic",
    category="system",
    signatures=("n = maxNumCompThreads()", "n = maxNumCompThreads(n)"),
    cases=("maxNumCompThreads() >= 1",),
    see=("nproc",),
)
def max_threads(n: Value | None = None) -> Value:
    """Number of threads host kernels use at most; a given number is accepted and ignored."""
    if n is not None and not is_char(n) and float_of(n) < 1:
        text = "The number of threads must be positive."
        raise MatlabError("MATLAB:maxNumCompThreads:badInput", text)
    return float(os.cpu_count() or 1)
