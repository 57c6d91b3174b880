"""Which language level this is: version, ver, verLessThan, license and the like.

Scripts ask these to choose between forms of the language; the answer is the release whose
documented language is implemented here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.declarations import toolboxes
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin
from app.engine.declarations.toolbox_manifest import Toolbox
from app.engine.values import Struct, StructArray, Value, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "session"
LEVEL = "24.1.0"
"""The version number of the language level."""

RELEASE = "R2024a"
"""Its release name."""

DATE = "February 27, 2024"
"""The day of that release."""


def _numbers(text: str) -> list[int]:
    return [int("".join(c for c in part if c.isdigit()) or 0) for part in text.split(".")]


@builtin(
    "version",
    category=_FAMILY,
    signatures=("[v, date] = version", "v = version(option)"),
    device=NAMES,
    cases=("contains(version, 'R20')",),
    see=("ver", "verLessThan"),
)
def version(option: Value = "") -> Value:
    """The language level as text, such as ``24.1.0 (R2024a)``, and its date."""
    word = text_of(option).lower()
    if word == "-release":
        return RELEASE[1:]
    if word and word not in {"-date", "-description", "-java", "-blas", "-lapack"}:
        raise MatlabError("MATLAB:version:InvalidOption", f"Unknown option '{word}'.")
    if word in {"-date", "-description", "-java", "-blas", "-lapack"}:
        return ""
    return f"{LEVEL} ({RELEASE})", DATE


@builtin(
    "ver",
    category=_FAMILY,
    signatures=("ver", "s = ver", "s = ver(product)"),
    device=NAMES,
    cases=("v = ver; ischar(v(1).Name)",),
    see=("version",),
)
def ver(ctx: CallContext, product: Value = "", *, nargout: int = 0) -> Value:
    """Name and version of the product and of the toolboxes that were found.

    A toolbox that cannot be used is listed with the reason; ``fuselab toolbox`` adds and removes.
    """
    name = text_of(product).lower()
    if nargout == 0 and not name:
        ctx.write(f"Fuselab, language level {LEVEL} ({RELEASE})\n")
        ctx.write("".join(map(_line, toolboxes.known_toolboxes())))
        return ()
    rows = [("MATLAB", LEVEL.rpartition(".")[0], f"({RELEASE})", "")]
    rows += [(t.name, t.version, "", "") for t in toolboxes.known_toolboxes() if not t.problem]
    chosen = [r for r in rows if name in {"", r[0].lower()} or (name == "fuselab" and r is rows[0])]
    fields = ("Name", "Version", "Release", "Date")
    made = [Struct(dict(zip(fields, row, strict=True))) for row in chosen]
    return (
        made[0] if len(made) == 1 else StructArray.of(made, (min(len(made), 1), len(made)), fields)
    )


def _line(found: Toolbox) -> str:
    state = f"cannot be used: {found.problem}" if found.problem else found.description
    return f"{found.name} {found.version}  {state}".rstrip() + "\n"


@builtin(
    "verLessThan",
    category=_FAMILY,
    signatures=("tf = verLessThan(product, v)",),
    device=NAMES,
    cases=("verLessThan('matlab', '99.1')", "~verLessThan('matlab', '8.1')"),
    see=("version",),
)
def ver_less_than(product: Value, number: Value) -> Value:
    """True when the version of the product is older."""
    name = text_of(product).lower()
    version_of = {t.name.lower(): t.version for t in toolboxes.known_toolboxes() if not t.problem}
    have = LEVEL if name in {"matlab", "fuselab"} else version_of.get(name)
    if have is None:
        text = f"The product '{text_of(product)}' is not installed."
        raise MatlabError("MATLAB:verLessThan:missingToolbox", text)
    return _numbers(have) < _numbers(text_of(number))


@builtin(
    "isMATLABReleaseOlderThan",
    category=_FAMILY,
    device=NAMES,
    see=("verLessThan",),
    signatures=("tf = isMATLABReleaseOlderThan(release)",),
    cases=("~isMATLABReleaseOlderThan('R2020a')",),
)
def release_older(release: Value, *stage: Value) -> Value:
    """True when the language level is older than a release such as ``R2021b``."""
    return text_of(release).lower() > RELEASE.lower()


@builtin(
    "license",
    category=_FAMILY,
    device=NAMES,
    signatures=("license", "tf = license('test', feature)"),
    cases=(
        "ischar(license)",
        "license('test', 'Statistics_Toolbox') == 1 && ~license('test', 'Simulink')",
    ),
)
def license_(word: Value = "", feature: Value = "", switch: Value = "") -> Value:
    """No feature needs a licence here: the toolboxes whose functions are here can be used."""
    match text_of(word).lower():
        case "":
            return "Fuselab"
        case "test" | "checkout":
            there = {t.feature.lower() for t in toolboxes.known_toolboxes() if not t.problem}
            return 1.0 if text_of(feature).lower() in {*_OF_THE_LIBRARY, *there} else 0.0
        case "inuse":
            return Struct({"feature": "MATLAB", "user": ""})
        case other:
            text = f"'{other}' is not an option of license. Its options are: checkout, inuse, test."
            raise MatlabError("MATLAB:license:InvalidOption", text)


_OF_THE_LIBRARY = ("matlab", "distrib_computing_toolbox")
"""The features that programs may use beside those of toolboxes, by their names in ``license``."""


@builtin(
    "isdeployed",
    category=_FAMILY,
    signatures=("tf = isdeployed",),
    device=NAMES,
    cases=("~isdeployed",),
)
def isdeployed() -> Value:
    """False: code runs from source."""
    return False


@builtin(
    "batchStartupOptionUsed",
    category=_FAMILY,
    signatures=("tf = batchStartupOptionUsed",),
    device=NAMES,
    cases=("batchStartupOptionUsed",),
)
def batch_startup_option_used(ctx: Context) -> Value:
    """True where code runs without a window, as MATLAB says when it was started with -batch."""
    return not ctx.interpreter.host.windowed


@builtin(
    "usejava",
    category=_FAMILY,
    signatures=("tf = usejava(feature)",),
    device=NAMES,
    cases=("~usejava('jvm')",),
)
def usejava(feature: Value) -> Value:
    """False: there is no Java."""
    return False


@builtin(
    "matlabroot",
    category=_FAMILY,
    signatures=("folder = matlabroot",),
    device=NAMES,
    cases=("isfolder(matlabroot)",),
)
def matlabroot() -> Value:
    """The folder of the program's resources."""
    return str(paths.resource_root())


@builtin(
    "toolboxdir",
    category=_FAMILY,
    signatures=("folder = toolboxdir(name)",),
    device=NAMES,
    cases=("endsWith(toolboxdir('stats'), 'stats')",),
    see=("matlabroot",),
)
def toolboxdir(name: Value) -> Value:
    """The folder in which MATLAB would have a toolbox; here toolboxes need no folders."""
    return str(paths.resource_root() / "toolbox" / text_of(name))


@builtin(
    "mexext",
    category=_FAMILY,
    signatures=("ext = mexext",),
    device=NAMES,
    cases=("startsWith(mexext, 'mex')",),
)
def mexext() -> Value:
    """The ending MEX files would have; none can be loaded here."""
    return "mexa64"
