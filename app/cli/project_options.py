"""A command line together with what the project file says: the path, and the device."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app import paths, settings
from app.cli.command_line import OPTIONS, Options
from app.project import Project, file_of, read

_VERBS = next(option.verbs for option in OPTIONS if option.name == "path")
_RUNNING = ("run", "eval", "explain", "shot", "test", "export")
"""They get the repositories that a project names; nobody else asks others for anything."""


def project_of(options: Options) -> Project | None:
    """The project of the first file or folder of a command line, else of the current folder; None
    in a restricted run, whose script would choose what it may read."""
    file = None if is_restricted(options) else _file(options)
    return None if file is None else read(file)


def is_restricted(options: Options) -> bool:
    """Whether what a command runs is not trusted."""
    return options.restricted or settings.load().restricted


def _file(options: Options) -> Path | None:
    place = options.operands[0] if options.operands else ""  # of eval, it is code
    is_there = paths.is_file(place) or paths.is_folder(place)
    return file_of(Path(place) if is_there else Path.cwd())


def with_project(options: Options) -> Options:
    """The options, completed by the project of the file that is named, or of the current folder.

    Folders of the command line are searched first; its device wins. The window asks when it knows
    whom it trusts (`with_trusted_project`).

    Raises:
        UsageError: the project file cannot be read, or says what it may not.
    """
    if options.verb not in _VERBS or options.verb == "window":
        return options
    return with_trusted_project(options, lambda _: True)


def with_trusted_project(options: Options, is_trusted: Callable[[Path], bool]) -> Options:
    """The same where the project's folder is trusted: its file may name any other to be searched.

    Raises:
        UsageError: the project file cannot be read, or says what it may not.
    """
    file = _file(options)
    if file is None:
        return options
    if not is_trusted(file.parent):
        if not options.quiet:
            sys.stderr.write(f"fuselab: {file} is read once its folder is trusted\n")
        return options
    if is_restricted(options):
        if not options.quiet:
            sys.stderr.write(f"fuselab: {file} is not read in a restricted run\n")
        return options
    project = read(file)
    searched = project.path
    if project.toolboxes:
        from app.engine.declarations.toolbox_repositories import search_path, with_toolboxes

        gets = options.verb in {*_RUNNING, "window"}
        searched = with_toolboxes(project) if gets else search_path(project)
    path = (*options.path, *map(str, searched))
    return replace(options, path=path, device=options.device or project.device)
