"""The settings: each is declared once, below, with its type, default and meaning.

A value comes from (the last one wins) its default, the user's ``settings.toml``, the variable
``FUSELAB_<NAME>``, and what the command line or the settings dialog sets. The dialog, the
manual and ``fuselab device`` are generated from the declarations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from app import paths, tomlfile
from app.errors import UsageError
from app.records import record

FILE = "settings.toml"
PREFIX = "FUSELAB_"
Value = bool | int | float | str


@record
class Declaration:
    """One setting as the dialog and the manual show it.

    Attributes:
        name: its name in the file; the variable is ``FUSELAB_`` and the name in capitals.
        type: bool, int, float or str.
        default: the value nobody has changed.
        description: one sentence.
        choices: the texts allowed, when only these are.
        least: the smallest number allowed.
        group: the page of the dialog.
    """

    name: str
    type: type[Value]
    default: Value
    description: str
    choices: tuple[str, ...]
    least: float | None
    group: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.upper()

    def convert(self, raw: object) -> Value:
        """``raw`` (a text, or a value of the file) as a value of this setting, checked."""
        value = (
            _value_of_text(raw, self.type)
            if isinstance(raw, str)
            else _value_of_type(raw, self.type)
        )
        if value is None:
            kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
            raise UsageError(f"setting {self.name} must be {kind[self.type]}, not {raw!r}")
        if self.choices and value not in self.choices:
            raise UsageError(f"setting {self.name} must be one of {', '.join(self.choices)}")
        if self.least is not None and cast("float", value) < self.least:
            raise UsageError(f"setting {self.name} must be at least {self.least:g}, not {value}")
        return value


_LARGEST = 2.0**63
"""From here on a number fits none of the places that settings go to."""
SWITCH_WORDS = {
    "true": True,
    "on": True,
    "yes": True,
    "1": True,
    "false": False,
    "off": False,
    "no": False,
    "0": False,
}
"""What variables of the environment say of something that is on or off."""


def _value_of_text(text: str, kind: type[Value]) -> Value | None:
    if kind is bool:
        return SWITCH_WORDS.get(text.strip().lower())
    if kind is str:
        return text
    try:
        number = float(text)
    except ValueError:
        return None
    if abs(number) < _LARGEST:
        return int(number) if kind is int else number
    return None  # NaN, too


def _value_of_type(raw: object, kind: type[Value]) -> Value | None:
    if kind is float and type(raw) is int:
        return float(raw) if abs(raw) < _LARGEST else None
    fits = not isinstance(raw, int | float) or abs(raw) < _LARGEST
    return raw if fits and type(raw) is kind else None


def _setting(
    default: Value,
    description: str,
    group: str = "Engine",
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
) -> Any:
    metadata = {"description": description, "group": group, "choices": choices, "least": least}
    return field(default=default, metadata=metadata)


_GPU = "Acceleration"
_LOOK, _EDIT = "Appearance", "Editor"


@dataclass
class Settings:
    """The values in force: read the attributes, change them with :meth:`set` (it checks)."""

    device: str = _setting("auto", "auto, cpu, gpu, or part of an adapter's name.", _GPU)
    capture_threshold: int = _setting(
        1024, "Arrays with fewer elements run at once on the host.", _GPU, least=1
    )
    chain_limit: int = _setting(
        192, "Longest chain of captured operations before it is evaluated.", _GPU, least=16
    )
    elementwise_workgroup: int = _setting(
        256, "Invocations of a workgroup in elementwise kernels.", _GPU, least=32
    )
    reduction_workgroup: int = _setting(
        256, "Invocations of a workgroup in reductions.", _GPU, least=32
    )
    two_pass_threshold: int = _setting(
        65536, "Reductions over more elements than this take two passes.", _GPU, least=64
    )
    matmul_tile: str = _setting(
        "auto", "Tile of matrix products such as 64x64x16; auto takes the calibrated one.", _GPU
    )
    memory_budget: int = _setting(
        0, "Bytes of device memory to use at most; 0 takes a share of what is there.", _GPU, least=0
    )
    memory_limit: int = _setting(
        0, "Bytes of memory the program may hold; 0 takes a share of what is free.", least=0
    )
    calibration: bool = _setting(True, "Measure the device once and remember its speed.", _GPU)
    kernel_cache: bool = _setting(True, "Keep compiled kernels for the next start.", _GPU)
    loop_slice_ms: float = _setting(
        200.0, "Longest time one dispatch of a loop kernel may take.", _GPU, least=1
    )
    fast_maths: bool = _setting(
        False, "Use the shader language's own, less accurate functions for single.", _GPU
    )
    fast_doubles: bool = _setting(
        False, "Compute doubles in single precision where the adapter has no double.", _GPU
    )
    verify: bool = _setting(False, "Check every graph and plan between the stages.", _GPU)
    host_threads: int = _setting(
        0, "Threads for host computation; 0 takes one per core.", _GPU, least=0
    )
    compile_loops: bool = _setting(True, "Compile hot loops over single numbers to machine code.")
    seed: int = _setting(0, "Seed of the random numbers at the start of a run.", least=0)
    octave: bool = _setting(False, 'Read "text" as char with escapes, as Octave does.')
    restricted: bool = _setting(
        False, "Do not let scripts run system commands, write files or use the network."
    )
    report_limit: int = _setting(
        10000, "Rows kept for each list of a report; counters always count everything.", least=100
    )
    theme: str = _setting(
        "system", "Colours of the window.", _LOOK, choices=("system", "dark", "light")
    )
    layout: str = _setting(
        "classic", "Arrangement of the panels.", _LOOK, choices=("classic", "gpu", "debug", "focus")
    )
    keymap: str = _setting(
        "fuselab", "Shortcuts as in other programs.", _LOOK, choices=("fuselab", "matlab", "vscode")
    )
    editor_font: str = _setting("", "Font of the editor; empty takes the one shipped.", _LOOK)
    editor_font_size: int = _setting(10, "Size of the editor's font in points.", _LOOK, least=5)
    editor_tab_width: int = _setting(4, "Columns of an indentation and of a tab.", _EDIT, least=1)
    editor_tabs: bool = _setting(False, "Indent with tabs instead of blanks.", _EDIT)
    editor_wrap: bool = _setting(False, "Wrap long lines at the edge of the window.", _EDIT)
    editor_whitespace: bool = _setting(False, "Show blanks and tabs as marks.", _EDIT)
    editor_rulers: str = _setting(
        "", "Columns with a vertical line, such as 75 or 80,100; empty for none.", _EDIT
    )
    editor_outputs: bool = _setting(
        False, "Store what a live script shows in its file when saving.", _EDIT
    )
    editor_trim: bool = _setting(False, "Remove blanks at the ends of lines when saving.", _EDIT)
    editor_final_newline: bool = _setting(
        False, "End the last line when saving, as other tools expect.", _EDIT
    )
    editor_close_brackets: bool = _setting(
        True, "Close brackets and quotes as they are opened; you can type over them.", _EDIT
    )
    editor_close_blocks: bool = _setting(
        True, "Insert the end of a block when its first line is complete.", _EDIT
    )
    editor_completions: bool = _setting(True, "Offer completions while typing.", _EDIT)

    def __post_init__(self) -> None:
        self.problems: list[str] = []
        self.origins: dict[str, str] = {}
        self._listeners: list[Callable[[str], None]] = []

    def set(self, name: str, raw: object, origin: str = "set") -> None:
        """Change one setting; ``origin`` says who did (file, environment, option, set)."""
        value = declaration(name).convert(raw)
        setattr(self, name, value)
        self.origins[name] = origin
        for listener in self._listeners:
            listener(name)

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call ``listener(name)`` after every change."""
        self._listeners.append(listener)

    def origin(self, name: str) -> str:
        """Where the value of ``name`` comes from."""
        return self.origins.get(name, "default")

    def save(self) -> Path:
        """Write what was set to the user's file, and nothing where it is the default.

        What else stands there stays as it is, comments too.
        """
        changed = {
            d.name: None if getattr(self, d.name) == d.default else getattr(self, d.name)
            for d in declarations()
            if self.origin(d.name) == "set"
        }
        path = paths.config_dir() / FILE
        text = tomlfile.edited(_text_of(path), changed)
        paths.write_private(path, text.encode())
        return path

    def rows(self) -> list[dict[str, Any]]:
        """Every setting as ``fuselab device --format json`` prints it."""
        return [
            {
                "name": d.name,
                "value": getattr(self, d.name),
                "default": d.default,
                "type": d.type.__name__,
                "variable": d.variable,
                "origin": self.origin(d.name),
                "description": d.description,
            }
            for d in declarations()
        ]


_TYPES: dict[str, type[Value]] = {"bool": bool, "int": int, "float": float, "str": str}


def declarations() -> tuple[Declaration, ...]:
    """Every setting, in the order of this module."""
    return tuple(
        Declaration(
            name=f.name, type=_TYPES[str(f.type)], default=cast("Value", f.default), **f.metadata
        )
        for f in fields(Settings)
    )


def declaration(name: str) -> Declaration:
    """The declaration of ``name``; a wrong name is a UsageError."""
    for candidate in declarations():
        if candidate.name == name:
            return candidate
    raise UsageError(f"there is no setting {name!r}")


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Defaults, then the user's file, then the environment; wrong values end in ``problems``."""
    settings = Settings()
    _read_file(settings, paths.config_dir() / FILE)
    variables = os.environ if environ is None else environ
    for known in declarations():
        if known.variable in variables:
            _try_set(settings, known.name, variables[known.variable], "environment")
    return settings


def _text_of(path: Path) -> str:
    """What stands in a file; nothing where there is none, or where it is broken and put aside."""
    if not path.exists():
        return ""
    try:
        tomlfile.read(path)
    except UsageError:
        paths.set_aside(path)
        return ""
    return path.read_bytes().decode()


def _read_file(settings: Settings, path: Path) -> None:
    if not path.exists():
        return
    try:
        content = tomlfile.read(path)
    except UsageError as problem:
        moved = paths.set_aside(path)
        settings.problems.append(f"the settings file is broken ({problem}); kept as {moved}")
        return
    names = {d.name for d in declarations()}
    for name, raw in content.items():
        if name in names:
            _try_set(settings, name, raw, "file")
        else:
            settings.problems.append(f"{path}: there is no setting {name!r}")


def _try_set(settings: Settings, name: str, raw: object, origin: str) -> None:
    try:
        settings.set(name, raw, origin)
    except UsageError as problem:
        settings.problems.append(f"{problem} (from the {origin}); ignored")
