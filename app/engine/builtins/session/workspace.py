"""Variables and names: exist, who, whos, clear, isvarname, inputname, mlock."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.arguments.checks import NUMBER, POSITIVE, WHOLE, takes
from app.engine.builtins.text.pattern_syntax import fits_any
from app.engine.builtins.text.valid_names import LONGEST
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin, lookup
from app.engine.interpreter.clearing import names_to_clear
from app.engine.language import wildcards
from app.engine.language.tokens import KEYWORDS, is_name
from app.engine.values import (
    Cell,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    class_of,
    int_of,
    is_complex,
    is_text_scalar,
    n_bytes,
    size_of,
    text_of,
)
from app.errors import MatlabError
from app.paths import is_file, is_folder

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "workspace"
_WHOS = ("name", "size", "bytes", "class", "global", "sparse", "complex", "nesting", "persistent")
_FILES = frozenset(
    (
        "control systems",
        "differential equations",
        "distributions",
        "geometry",
        "images",
        "integration",
        "interpolation",
        "networks",
        "optimisation",
        "polynomials",
        "signal processing",
        "sound",
        "statistics",
        "tables",
        "windows",
    )
)
"""Families of functions that are files in MATLAB."""


@builtin(
    "isvarname",
    category=_FAMILY,
    signatures=("tf = isvarname(s)",),
    device=NAMES,
    cases=(
        "isvarname('x1')",
        "~isvarname('1x')",
        "~isvarname('end')",
        "~isvarname(repmat('a', 1, namelengthmax + 1))",
    ),
)
def isvarname(text: Value) -> Value:
    """True when the text can be the name of a variable."""
    name = text_of(text) if is_text_scalar(text) else ""
    return is_name(name) and len(name) <= LONGEST


@builtin(
    "iskeyword",
    category=_FAMILY,
    signatures=("tf = iskeyword(s)", "list = iskeyword"),
    device=NAMES,
    cases=("iskeyword('end')",),
)
def iskeyword(text: Value | None = None) -> Value:
    """True for a word of the language; without input the list of all."""
    if text is None:
        return Cell.of(sorted(KEYWORDS), (len(KEYWORDS), 1))
    return text_of(text) in KEYWORDS


_FUNCTION_FILES = frozenset(
    """
    addpath addtodate angle axis base2dec bin2dec calendar cart2pol cart2sph cell2mat celldisp
    cellstr circshift clabel colorbar colormap combnk compan computer cond condest corrcoef
    cov cplxpair cross cumtrapz curl cylinder date datenum datestr datevec dblquad deal
    deblank dec2base dec2bin dec2hex deconv del2 delaunay detrend diff2 divergence dot eomday
    erase etime expm factor factorial fftshift fieldnames fileparts fileread flip fliplr
    flipud fullfile funm gallery gcbf gcbo gcd genpath getfield gradient griddata hadamard
    hankel hex2dec hilb hist histc hsv2rgb idivide ifftshift imagesc imread imshow imwrite
    ind2sub inputParser inputname int2str integral integral2 integral3 interp1 interp2 interp3
    interpft intersect invhilb iqr isdir isfile isfolder ismember isprime kron lcm legend
    linkaxes linspace loglog logm logspace lscov magic makehgtform mat2str mean median mesh
    meshc meshgrid mkpp mode movie nargchk narginchk nargoutchk nchoosek ndgrid nextpow2
    normest nthroot null num2str orth pascal pchip peaks perms pinv plot3 plotmatrix plotyy
    pol2cart poly polyder polyfit polyint polyval polyvalm ppval primes print profile publish
    quad quad2d quadgk quadl quadv rank rat rats repmat residue rgb2hsv rmpath roots rosser
    rot90 rref saveas savefig semilogx semilogy setdiff setfield setxor shiftdim sortrows
    sound soundsc spdiags speye sph2cart sphere spline sprand sprandn sqrtm std std2 str2num
    strcat strjoin strjust strsplit strtok strvcat sub2ind subplot subspace surf surfc
    swapbytes tempdir tempname textread title toeplitz trace trapz trimesh triplequad trisurf
    union unique unmkpp vander var ver verLessThan version view voronoi waitbar weekday what
    which whos wilkinson xlabel xlim xlsread xlswrite xmlread ylabel ylim zlabel zlim zoom
    """.split()
)
"""Functions that MATLAB itself, not only its toolboxes, has in files."""

_CLASS_FILES = frozenset(("inputParser", "containers.Map"))
"""Classes that Octave has in files, which ``exist`` tells."""


@builtin(
    "exist",
    words="var builtin file dir class",
    category=_FAMILY,
    signatures=("n = exist(name)", "n = exist(name, kind)"),
    device=NAMES,
    cases=(
        "x = 1; exist('x', 'var') == 1 && exist('sin') == 5",
        "exist('imdilate') == 2 && exist('fminunc', 'file') == 2",
        "exist('fliplr') == 2 && exist('mean') == 2 && exist('size') == 5",
    ),
    see=("who", "which"),
)
def exist(ctx: Context, name: Value, kind: Value = "") -> Value:
    """What a name is: 1 variable, 2 file, 5 builtin, 7 folder, 8 class, 0 nothing.

    Functions that MATLAB has in files, its own or those of its toolboxes, count as files.
    """
    text, wanted = text_of(name), text_of(kind)
    if wanted in {"", "var"} and ctx.workspace().get(text) is not None:
        return 1.0
    if wanted == "var":
        return 0.0
    if wanted in {"", "file"} and text.isidentifier():
        found = ctx.code_file(text)
        if found is not None:
            return 8.0 if wanted == "" and ctx.is_class_file(found) else 2.0
    if wanted in {"", "class"} and ctx.objects.find_class(text) is not None:
        return 8.0
    known = lookup(text) if wanted in {"", "builtin", "file"} else None
    if known is not None and (ctx.settings.octave or not known.octave):
        if text in _CLASS_FILES and ctx.settings.octave:
            return 2.0
        in_file = known.category in _FILES or known.name in _FUNCTION_FILES
        return 2.0 if wanted == "file" or (not wanted and in_file) else 5.0
    if wanted in {"", "file", "dir"}:
        on_disk = _on_disk(Path(ctx.path.current, text), wanted)
        return on_disk or (_on_path(ctx, text) if wanted != "dir" else 0.0)
    return 0.0


def _on_path(ctx: Context, name: str) -> float:
    """A file given with its ending that lies in a folder of the search path."""
    places = ctx.path.order() if name and not Path(name).is_absolute() else []
    return 2.0 if any(is_file(Path(p, name)) for p in places) else 0.0


def _on_disk(path: Path, wanted: str) -> float:
    if is_folder(path):
        return 7.0
    if wanted != "dir" and (is_file(path) or is_file(f"{path}.m")):
        return 2.0
    return 0.0


@builtin(
    "who",
    category=_FAMILY,
    device=NAMES,
    signatures=("who", "list = who", "who pattern ...", "who global", "who -file f.mat"),
    cases=("x = 1; contains(evalc('who'), 'x')",),
    see=("whos", "clear"),
)
def who(ctx: Context, *patterns: Value, nargout: int = 0) -> Value:
    """The names of the variables, of the workspace or of a MAT-file."""
    names = list(_matching(ctx, patterns))
    if nargout:
        return Cell.of(names, (len(names), 1)) if names else Cell.empty((0, 1))
    if names:
        ctx.write("\nYour variables are:\n\n" + "  ".join(names) + "  \n\n")
    return ()


def _matching(ctx: Context, patterns: tuple[Value, ...]) -> dict[str, Value]:
    """The variables that are meant; those of a file have to be read."""
    words = tuple(text_of(p) for p in patterns)
    if words[:1] == ("global",):
        held = ctx.interpreter.globals
        return {n: held[n] for n in names_to_clear(sorted(held), words[1:])}
    if words[:1] == ("-file",):
        read = ctx.call("load", ("-mat", *patterns[1:2]), 1)[0]
        assert isinstance(read, Struct)
        source = dict(read.fields)
        return {n: source[n] for n in names_to_clear(sorted(source), words[2:])}
    workspace = ctx.workspace()
    names = names_to_clear(workspace.names(), words) if words else workspace.names()
    return {n: workspace.get(n) for n in names}


@builtin(
    "whos",
    category=_FAMILY,
    signatures=("whos", "s = whos", "whos pattern ...", "whos -file f.mat"),
    device=NAMES,
    cases=(
        "x = 1; s = whos('x'); strcmp(s.class, 'double') && s.bytes == 8",
        "x = 'ab'; save('x.mat', 'x'); s = whos('-file', 'x.mat'); s.size(2) == 2",
    ),
    see=("who",),
)
def whos(ctx: Context, *patterns: Value, nargout: int = 0) -> Value:
    """Size, bytes and class of the variables, of the workspace or of a MAT-file."""
    found = _matching(ctx, patterns)
    shared = _shared_variables(ctx, patterns)
    if nargout:
        where = Struct({"function": ctx.caller_name(), "level": float(max(len(ctx.stack()), 1))})
        made = [
            Struct(
                {
                    "name": n,
                    "size": _size_row(v),
                    "bytes": float(n_bytes(v)),
                    "class": class_of(v),
                    "global": "global" in shared.get(n, ""),
                    "sparse": isinstance(v, SparseMatrix),
                    "complex": is_complex(v),
                    "nesting": where,
                    "persistent": "persistent" in shared.get(n, ""),
                }
            )
            for n, v in found.items()
        ]
        return StructArray.of(made, (len(made), 1), _WHOS)
    if found:
        ctx.write(_table(found, shared))
    return ()


def _shared_variables(ctx: Context, patterns: tuple[Value, ...]) -> dict[str, str]:
    """What is declared of the variables of the workspace; nothing is of those of a file."""
    if patterns and text_of(patterns[0]) == "-file":
        return {}
    workspace = ctx.workspace()
    made = dict.fromkeys(workspace.persistent_names(), "persistent")
    return made | dict.fromkeys(workspace.global_names(), "global")


def _size_row(v: Value) -> Value:
    import numpy as np

    return np.array([size_of(v)], dtype=np.float64)


def _attributes(v: Value, declared: str) -> str:
    words = (declared, "sparse" * isinstance(v, SparseMatrix), "complex" * is_complex(v))
    return ", ".join(w for w in words if w)


def _table(rows: dict[str, Value], shared: dict[str, str]) -> str:
    texts = [
        (
            n,
            "x".join(map(str, size_of(v))),
            str(n_bytes(v)),
            class_of(v),
            _attributes(v, shared.get(n, "")),
        )
        for n, v in rows.items()
    ]
    width = max(len("Name"), *(len(t[0]) for t in texts)) + 2
    lines = [f"  {'Name':<{width}}{'Size':>13}{'Bytes':>17}  {'Class':<10}Attributes\n"]
    lines += [f"  {n:<{width}}{s:>13}{b:>17}  {c:<10}{a}" for n, s, b, c, a in texts]
    return "\n".join(lines) + "\n\n"


@builtin(
    "clear",
    category=_FAMILY,
    device=NAMES,
    cases=("x = 1; y = 2; clear x; ~exist('x', 'var') && exist('y', 'var') == 1",),
    see=("who", "clearvars"),
    signatures=("clear", "clear name ...", "clear all", "clear -except name ..."),
)
def clear(ctx: Context, *patterns: Value) -> Value:
    """Remove variables; ``clear all`` also forgets globals, persistent variables and functions."""
    words = tuple(text_of(p) for p in patterns)
    workspace = ctx.workspace()
    if words and words[0].startswith("-regexp"):
        names = [n for n in workspace.names() if fits_any(n, words[1:])]
    elif words and words[0] in {"global", "-global", "-g"}:
        names = names_to_clear(sorted(ctx.interpreter.globals), words[1:])
        for name in names:
            ctx.interpreter.globals.pop(name, None)
    else:
        names = names_to_clear(workspace.names(), words)
    for name in names:
        workspace.delete(name)
    _forget_functions(ctx, words)
    return ()


def _forget_functions(ctx: Context, words: tuple[str, ...]) -> None:
    if words[:1] and words[0] in {"all", "-all", "functions", "-functions", "-f", "classes"}:
        ctx.interpreter.forget_functions()
        if words[0] in {"all", "-all"}:
            ctx.interpreter.globals.clear()
    elif words[:1] == ("import",):
        ctx.interpreter.path.imports.clear()
    else:
        for word in words:
            ctx.interpreter.forget_persistent(word)


@builtin(
    "clearvars",
    category=_FAMILY,
    device=NAMES,
    cases=("x = 1; y = 2; clearvars -except y; exist('x', 'var') == 0",),
    see=("clear",),
    signatures=(
        "clearvars",
        "clearvars name ...",
        "clearvars -except name ...",
        "clearvars -regexp expression ...",
        "clearvars -global name ...",
    ),
)
def clearvars(ctx: Context, *patterns: Value) -> Value:
    """Remove variables."""
    workspace = ctx.workspace()
    words = [text_of(p) for p in patterns]
    shared = words[:1] == ["-global"]
    if words.count("-except") > 1 or words.count("-global") > shared:
        text = "'-global' comes first, and '-except' once."
        raise MatlabError("MATLAB:clearvars:InvalidOption", text)
    words = words[shared:]
    cut = words.index("-except") if "-except" in words else len(words)
    wanted, kept = words[:cut], words[cut + 1 :]
    for name in sorted(ctx.interpreter.globals) if shared else workspace.names():
        if (not wanted or _means(wanted, name)) and not _means(kept, name):
            if shared:
                ctx.interpreter.globals.pop(name, None)
            workspace.delete(name)
    return ()


def _means(words: list[str], name: str) -> bool:
    """Whether names with wildcards, or regular expressions after ``-regexp``, mean a variable."""
    cut = words.index("-regexp") if "-regexp" in words else len(words)
    return wildcards.fits(name, words[:cut]) or fits_any(name, words[cut + 1 :])


@builtin(
    "inputname",
    category=_FAMILY,
    signatures=("name = inputname(n)",),
    device=NAMES,
    cases=("ischar(func2str(@() inputname(1)))",),
)
@takes(NUMBER & WHOLE & POSITIVE)
def inputname(ctx: Context, n: Value, *options: Value) -> Value:
    """The name of the variable the caller gave as argument n; empty for an expression."""
    return ctx.argument_name(int_of(n))


@builtin(
    "mlock",
    category=_FAMILY,
    signatures=("mlock",),
    device=NAMES,
    cases=("ischar(func2str(@() mlock))",),
)
def mlock() -> Value:
    """Keep the running function from being cleared; nothing clears running functions here."""
    return ()


@builtin(
    "munlock",
    category=_FAMILY,
    signatures=("munlock", "munlock(name)"),
    device=NAMES,
    cases=("ischar(func2str(@() munlock))",),
)
def munlock(name: Value = "") -> Value:
    """Allow a function to be cleared."""
    return ()


@builtin(
    "mislocked",
    category=_FAMILY,
    signatures=("tf = mislocked(name)",),
    device=NAMES,
    cases=("~mislocked",),
)
def mislocked(name: Value = "") -> Value:
    """True when a function cannot be cleared."""
    return False
