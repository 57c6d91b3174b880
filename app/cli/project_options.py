"""A command line together with what the project file says: the path, and the device."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from app import paths, settings
from app.cli.command_line import OPTIONS, Options
from app.errors import UsageError
from app.project import NAME, Pin, Project, find

_VERBS = next(option.verbs for option in OPTIONS if option.name == "path")


def project_of(options: Options) -> Project | None:
    """The project of the first file or folder of a command line, else of the current folder."""
    place = options.operands[0] if options.operands else ""  # of eval, it is code
    is_there = paths.is_file(place) or paths.is_folder(place)
    return find(Path(place) if is_there else Path.cwd())


def with_project(options: Options) -> Options:
    """The options, completed by the project of the file that is named, or of the current folder.

    Folders of the command line are searched first; its device wins.

    Raises:
        UsageError: the project file cannot be read, or says what it may not.
    """
    if options.verb not in _VERBS:
        return options
    project = project_of(options)
    if project is None:
        return options
    if options.restricted or settings.load().restricted:  # it would widen what the run may read
        if not options.quiet:
            sys.stderr.write(f"fuselab: {project.folder / NAME} is not read in a restricted run\n")
        return options
    for pin in project.toolboxes:
        _check(pin, project.folder / NAME)
    path = (*options.path, *map(str, project.path))
    return replace(options, path=path, device=options.device or project.device)


def _check(pin: Pin, file: Path) -> None:
    """Refuse a project whose toolboxes are not those that it needs."""
    from app.engine.declarations import toolboxes
    from app.engine.declarations.toolbox_manifest import satisfies

    if pin.folder is not None:
        found = toolboxes.use(pin.folder)
    else:
        there = (t for t in toolboxes.known_toolboxes() if t.name == pin.name)
        if (installed := next(there, None)) is None:
            text = f"{file}: the project wants the toolbox {pin.name}, which is not installed"
            raise UsageError(f"{text}: fuselab toolbox add, or pip install")
        found = installed
    if found.problem:
        raise UsageError(f"{file}: the toolbox {pin.name} cannot be used: {found.problem}")
    if found.name != pin.name or not satisfies(found.version, pin.version):
        there_is = found.version if found.name == pin.name else found.name
        raise UsageError(f"{file}: the project wants {pin.name} {pin.version}; there is {there_is}")
