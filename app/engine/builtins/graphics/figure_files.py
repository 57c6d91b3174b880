"""Figures in files: savefig, openfig and their older names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT, takes
from app.engine.builtins.files.mat_reader import read_level5
from app.engine.builtins.files.mat_writer import file_bytes
from app.engine.builtins.files.portable import portable_form, value_of_portable
from app.engine.builtins.graphics.graphics_handles import targets
from app.engine.builtins.graphics.plotting_support import PLOT, figures
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.figures.fig_file import NAME, nodes_of, object_of_struct, relink, struct_of_object
from app.engine.figures.objects import GraphicsObject, handles
from app.engine.figures.properties import is_text, plain_text
from app.engine.values import EMPTY, Cell, Struct, StructArray, Value, object_array
from app.errors import MatlabError, reason_of

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context


def fig_path(name: Value) -> Path:
    """A file's name with the ending of figures."""
    path = Path(plain_text(name))
    return path if path.suffix else path.with_suffix(".fig")


def write_figures(chosen: list[GraphicsObject], path: Path) -> None:
    """Write figures into one file."""
    nodes = [struct_of_object(figure) for figure in chosen]
    content: Value = nodes[0]
    if len(nodes) > 1:
        names = nodes[0].fields
        shape = len(nodes), 1
        content = StructArray(
            {n: object_array([s.fields[n] for s in nodes], shape) for n in names}, shape
        )
    try:
        paths.put_whole(path, file_bytes({NAME: portable_form(content)}, compress=True))
    except OSError as problem:
        text = f"Cannot write the figure to '{path}': {reason_of(problem)}."
        raise MatlabError("MATLAB:savefig:CannotCreateFile", text) from problem


def read_figures(ctx: Context, path: Path) -> list[GraphicsObject]:
    """The figures of a file, made anew; the ``CreateFcn`` of every object in them is called."""
    model = figures(ctx)
    if not path.is_file():
        raise MatlabError("MATLAB:openfig:FileNotFound", f"File '{path}' not found.")
    with reading("openfig", path):
        content = value_of_portable(ctx, read_level5(path, [NAME]).get(NAME))
    if not isinstance(content, Struct | StructArray):
        raise MatlabError("MATLAB:openfig:InvalidFile", f"'{path}' is not a figure file.")
    made = []
    for node in nodes_of(content):
        try:
            figure = object_of_struct(model, node, model.root)
            if figure is None:
                raise MatlabError("MATLAB:openfig:InvalidFile", f"'{path}' holds no figure.")
            relink(figure, node)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
            text = f"'{path}' is damaged: the figure in it lacks required parts ({problem})."
            raise MatlabError("MATLAB:openfig:InvalidFile", text) from problem
        axes = [item for item in figure.descendants() if item.kind.base == "axes"]
        if axes:
            model.activate(axes[-1])
        made.append(figure)
    for figure in made:
        for item in (figure, *figure.descendants()):
            model.inputs.run(item, "CreateFcn")
    return made


@builtin(
    "savefig",
    category=PLOT,
    least=1,
    cases=("plot(1:3); savefig('a.fig'); isfile('a.fig')",),
    see=("openfig", "saveas"),
    signatures=("savefig(filename)", "savefig(fig,filename)", "savefig(fig,filename,'compact')"),
)
def savefig(ctx: CallContext, *args: Value) -> None:
    """Write figures to a .fig file, from which openfig makes them anew.

    The file is a MAT file with the struct hgS_070000, as MATLAB's are.
    """
    rest = list(args)
    chosen = [figures(ctx).gcf()] if is_text(rest[0]) else targets(ctx, rest.pop(0))
    if not rest:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    write_figures(chosen, fig_path(rest[0]))


@builtin(
    "hgsave",
    category=PLOT,
    least=1,
    signatures=("hgsave(filename)", "hgsave(h,filename)"),
    cases=("plot(1:3); hgsave(gcf, 'a.fig'); isfile('a.fig')",),
    see=("savefig",),
)
def hgsave(ctx: CallContext, *args: Value) -> None:
    """Write figures to a .fig file (older name of savefig)."""
    savefig(ctx, *args)


@builtin(
    "openfig",
    words="new visible invisible",
    category=PLOT,
    least=1,
    cases=("plot(1:3); savefig('a.fig'); f = openfig('a.fig'); isgraphics(f)",),
    see=("savefig",),
    signatures=("f = openfig(filename)", "openfig(filename,'invisible')"),
)
@takes(TEXT)
def openfig(ctx: Context, name: Value, *words: Value, nargout: int = 0) -> Value:
    """Open the figures of a .fig file: ours, and lines, surfaces, images and texts of MATLAB's."""
    made = read_figures(ctx, fig_path(name))
    options = {plain_text(word).lower() for word in words}
    for figure in made:
        figure["Visible"] = "invisible" not in options
    return handles(made) if nargout else None


@builtin(
    "hgload",
    category=PLOT,
    least=1,
    signatures=("h = hgload(filename)", "[h, old] = hgload(filename, properties)"),
    cases=(
        "plot(1:3); hgsave(gcf, 'a.fig'); h = hgload('a.fig'); isgraphics(h)",
        "plot(1:3); hgsave(gcf, 'a.fig'); [h, old] = hgload('a.fig', struct('Name', 'new')); "
        "strcmp(h.Name, 'new') && isequal(old{1}.Name, '')",
    ),
    see=("openfig",),
)
@takes(TEXT)
def hgload(
    ctx: Context, name: Value, properties: Value | None = None, *, nargout: int = 0
) -> Value:
    """Open the figures of a .fig file, and set properties of them (older form of openfig)."""
    made = read_figures(ctx, fig_path(name))
    if properties is not None and not isinstance(properties, Struct):
        raise MatlabError("MATLAB:hgload:InvalidInput", "The properties must be a struct.")
    wanted = {} if properties is None else properties.fields
    before = []
    for figure in made:
        before.append(Struct({key: figure.get(key) for key in wanted}))
        for key, value in wanted.items():
            figure.set(key, value)
    old = Cell.of(before, (len(before), 1)) if wanted else EMPTY
    return (handles(made), old) if nargout else None
