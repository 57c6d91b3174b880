"""``load`` and ``save``: MAT-files of all versions and text files of numbers."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.files import octave_files, portable
from app.engine.builtins.files.number_text_files import read_matrix, write_matrices
from app.engine.builtins.files.saved_objects import Identities
from app.engine.builtins.text.pattern_syntax import fits_any
from app.engine.builtins.text.valid_names import valid_name
from app.engine.declarations import toolboxes
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.language import wildcards
from app.engine.language.tokens import is_name
from app.engine.values import (
    Struct,
    Value,
    as_array,
    class_of,
    text_of,
)
from app.errors import MatlabError, said_by_system

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "files"
_HDF = b"\x89HDF\r\n\x1a\n"
_VERSIONS = {
    "-v7.3": "7.3",
    "-v7": "7",
    "-v6": "6",
    "-v4": "4",
    "-7": "7",
    "-6": "6",
    "-4": "4",
    "-mat7-binary": "7",
    "-mat": "7",
    "-mat-binary": "7",
    "-binary": "7",
    "-v5": "6",
}


@dataclass(slots=True)
class _Request:
    """What a command line asked for."""

    file: str = "matlab.mat"
    names: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    version: str = ""
    struct: str = ""


def _read(args: tuple[Value, ...]) -> _Request:
    request, words = _Request(), [text_of(a) for a in args]
    free: list[str] = []
    while words:
        word = words.pop(0)
        low = word.lower()
        if low in _VERSIONS:
            request.version = _VERSIONS[low]
            request.flags.add("-mat")
        elif low == "-struct" and words:
            request.struct = words.pop(0)
        elif low == "-regexp":
            request.patterns, words = words, []
        elif low.startswith("-"):
            request.flags.add(low)
        else:
            free.append(word)
    if free:
        request.file, request.names = free[0], free[1:]
    return request


def _requested_names(request: _Request, available: list[str]) -> list[str]:
    """The available names that were asked for; all when none was."""
    if not request.names and not request.patterns:
        return available
    found = [n for n in available if wildcards.fits(n, request.names)]
    return found + [n for n in available if n not in found and fits_any(n, request.patterns)]


# --- load -------------------------------------------------------------------------------------


def locate(name: str, ctx: CallContext | None = None) -> Path:
    """The file a name means: as it is, with .mat, or in a folder of the search path."""
    plain = Path(name).expanduser()
    tries = [plain, *([] if plain.suffix else [plain.with_name(plain.name + ".mat")])]
    tries.reverse()
    folders: list[str] = []
    if ctx is not None and not plain.is_absolute():
        folders = text_of(ctx.call("path", (), 1)[0]).split(os.pathsep)
        folders += toolboxes.shipped_folders()  # fisheriris and its like
    for candidate in (*tries, *(Path(d) / t for d in folders for t in tries)):
        if candidate.is_file():
            return candidate
    shown = name if plain.suffix else f"{name}.mat"
    text = f"Unable to find file or directory '{shown}'."
    raise MatlabError("MATLAB:load:couldNotReadFile", text)


def _is_mat(path: Path) -> str:
    """``hdf``, ``octave``, ``mat`` or ``text``, by the beginning of the file."""
    with path.open("rb") as stream:
        head = stream.read(520)
    if head.startswith(_HDF) or head[512:] == _HDF:
        return "hdf"
    if octave_files.is_octave_file(head):
        return "octave"
    return "mat" if head.startswith(b"MATLAB") or path.suffix.lower() == ".mat" else "text"


def read_variables(path: Path, request: _Request | None = None) -> dict[str, Value]:
    """The variables of a MAT-file. Raises MatlabError where it is damaged."""
    with reading("load", path):
        return _variables_of(path, request or _Request())


def _variables_of(path: Path, request: _Request) -> dict[str, Value]:
    kind = _is_mat(path)
    if kind == "octave":
        return octave_files.read_octave_file(path, lambda n: bool(_requested_names(request, [n])))
    if kind == "hdf":
        from app.engine.builtins.files import mat_hdf_read

        return mat_hdf_read.read_hdf(path, _requested_names(request, mat_hdf_read.hdf_names(path)))
    from app.engine.builtins.files import mat_reader

    names: list[str] | None = None
    if request.names or request.patterns:
        names = _requested_names(request, mat_reader.variable_names(path))
        if not names:
            return {}
    return mat_reader.read_level5(path, names)


@builtin(
    "load",
    category=_FAMILY,
    signatures=(
        "load file",
        "load file name1 name2 ...",
        "S = load(file, ...)",
        "load(file, '-regexp', pattern, ...)",
        "A = load(file, '-ascii')",
    ),
    cases=("x = 3; save('x.mat', 'x'); s = load('x.mat'); s.x == 3",),
    see=("save", "whos", "importdata"),
)
def load(ctx: Context, *args: Value, nargout: int = 0) -> Value:
    """Read variables from a MAT-file (any version), a file of Octave, or a matrix from text.

    Without an output the variables go into the workspace; with one they are fields of a struct.
    A text file gives one matrix, named as the file.
    """
    request = _read(args)
    path = locate(request.file, ctx)
    if "-ascii" in request.flags or ("-mat" not in request.flags and _is_mat(path) == "text"):
        matrix = read_matrix(path)
        if nargout:
            return matrix
        ctx.workspace().set(_variable_name(path.stem), matrix)
        return ()
    known = Identities()
    read = read_variables(path, request)
    names = _names_of_variables(ctx, list(read))
    found = {names[k]: portable.value_of_portable(ctx, v, known) for k, v in read.items()}
    for name in request.names:
        if not any(c in name for c in "*?[") and name not in read:
            ctx.warning("MATLAB:load:variableNotFound", f"Variable '{name}' not found.")
    if nargout:
        return Struct(found)
    workspace = ctx.workspace()
    for name, value in found.items():
        workspace.set(name, value)
    return ()


def _names_of_variables(ctx: Context, given: list[str]) -> dict[str, str]:
    """What the variables of a file are called here; a warning tells of names that are none."""
    made = {name: name for name in given if is_name(name)}
    for name in given:
        if name in made:
            continue
        word = valid_name(name)
        while word in made.values():
            word += "_"
        made[name] = word
        text = f"'{name}' in the file is not a valid variable name: it is called '{word}'."
        ctx.warning("MATLAB:load:variableRenamed", text)
    return made


def _variable_name(stem: str) -> str:
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    return name if name[:1].isalpha() else f"X{name}"


# --- save -------------------------------------------------------------------------------------


def _gather(ctx: CallContext, request: _Request) -> dict[str, Value]:
    """The variables to save."""
    workspace = ctx.workspace()
    if request.struct:
        holder = workspace.get(request.struct)
        if not isinstance(holder, Struct):
            text = "The argument to -STRUCT must be the name of a scalar structure variable."
            raise MatlabError("MATLAB:save:InvalidStruct", text)
        source = dict(holder.fields)
    else:
        source = {n: workspace.get(n) for n in workspace.names()}
    names = _requested_names(request, list(source))
    for name in request.names:
        if not any(c in name for c in "*?[") and name not in source:
            raise MatlabError("MATLAB:save:variableNotFound", f"Variable '{name}' not found.")
    return {n: source[n] for n in names if source[n] is not None}


@builtin(
    "save",
    category=_FAMILY,
    signatures=(
        "save file",
        "save file name1 name2 ... -v7.3",
        "save(file, name1, ...)",
        "save file -struct s field1 ...",
        "save file name -append",
        "save file name -ascii -double",
        "save file name -text",
        "save file -regexp pattern",
    ),
    cases=("x = 1:3; save('x.mat', 'x'); isequal(load('x.mat').x, 1:3)",),
    see=("load", "writematrix"),
)
def save(ctx: CallContext, *args: Value) -> Value:
    """Write variables to a file: -v7 (compressed, usual), -v6, -v4, -v7.3 (HDF5), or -ascii.

    With -text the file is one of Octave's. Names may have ``*`` and ``?``. With -struct the fields
    of a struct are saved, with -append the variables join those in the file. Strings, tables,
    dates, maps and objects of classes are saved as structs that ``load`` here turns back
    (``saveobj`` and ``loadobj`` run, transient properties stay out); other programs see the
    structs.
    """
    request = _read(args)
    variables = _gather(ctx, request)
    path = Path(request.file).expanduser()
    if "-ascii" in request.flags:
        write_matrices(path, variables, request.flags)
        return ()
    if "-text" in request.flags:
        request.version = "text"
    elif not path.suffix:
        path = path.with_name(path.name + ".mat")
    plain, known = {}, Identities()
    for name, value in variables.items():
        made = portable.portable_form(value, known)
        if made is None:
            text = f"Variable '{name}' of class '{class_of(value)}' cannot be saved."
            ctx.warning("MATLAB:save:unsupportedClass", text)
        else:
            plain[name] = made
    if "-append" in request.flags and path.is_file():
        same = {"hdf": "7.3", "octave": "text"}.get(_is_mat(path), "7")
        request.version = request.version or same
        plain = {**read_variables(path), **plain}
    write_variables(path, plain, request.version or "7", "-nocompression" in request.flags)
    return ()


def write_variables(path: Path, plain: dict[str, Value], version: str, raw: bool = False) -> None:
    """Write variables that need no packing any more: all of them, or the file stays as it was."""
    try:
        with paths.written_whole(path) as part:
            _write(part, plain, version, raw)
    except OSError as problem:
        text = f"Unable to write file {path}: {said_by_system(problem)}."
        raise MatlabError("MATLAB:save:permissionDenied", text) from problem


def _write(path: Path, plain: dict[str, Value], version: str, raw: bool) -> None:
    if version == "7.3":
        from app.engine.builtins.files import mat_hdf

        mat_hdf.write_hdf(path, plain)
    elif version == "text":
        from app.engine.builtins.files import octave_text

        path.write_text(octave_text.octave_text(plain), encoding="latin-1")
    elif version == "4":
        import scipy.io

        matrices = {n: v if isinstance(v, str) else as_array(v) for n, v in plain.items()}
        scipy.io.savemat(str(path), matrices, format="4", appendmat=False)
    else:
        from app.engine.builtins.files import mat_writer

        compress = version == "7" and not raw
        path.write_bytes(mat_writer.file_bytes(plain, compress=compress))
