"""``fuselab toolbox``: makes, lists, adds, removes and tests toolboxes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app import paths
from app.cli.command_line import Options
from app.engine.declarations import registry, toolboxes
from app.engine.declarations.builtin_index import shipped
from app.engine.declarations.toolbox_manifest import Toolbox, read
from app.engine.declarations.toolbox_repositories import clone, folder_in
from app.engine.language.parser import parse
from app.errors import MatlabError, UsageError
from app.source import SourceText

SKELETON = "toolbox"
"""The resource that a new toolbox is a copy of."""


def do_toolbox(options: Options) -> int:
    """Do one of the actions."""
    action, name = (*options.operands, "")[:2]
    if action == "list" and not name:
        return _list()
    doers = {"new": _new, "add": _add, "remove": _remove}
    if not name or action not in {*doers, "test"}:
        raise UsageError("fuselab toolbox list, or new, add, remove, test with a name")
    return _test(options, name) if action == "test" else doers[action](name)


def _list() -> int:
    known = toolboxes.known_toolboxes()
    for toolbox in (*known, *(t for t in shipped() if t not in known)):
        state = f"cannot be used: {toolbox.problem}" if toolbox.problem else toolbox.description
        state = state if toolbox in known else f"left out: fuselab toolbox add {toolbox.name}"
        sys.stdout.write(f"{toolbox.name:<16} {toolbox.version:<8} {toolbox.folder}  {state}\n")
    return 0


def _new(name: str) -> int:
    """A toolbox that works, as a folder that is also the source of a wheel."""
    target = Path(name).resolve()  # where ``..`` leads: a part of the name is no folder to make
    word = target.name
    if not (word.isidentifier() and word.isascii() and word == word.lower()):
        raise UsageError(f"'{word}' is not a toolbox name: use lower-case letters, digits and _")
    if target.exists():
        raise UsageError(f"there is something called {target} already")
    for source in sorted(paths.resource(SKELETON).rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            inside = str(source.relative_to(paths.resource(SKELETON))).replace("NAME", word)
            file = target / inside.removesuffix(".txt")
            file.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8").replace("NAME", word)
            file.write_text(text, encoding="utf-8")
    sys.stdout.write(
        f"made {target}: fuselab toolbox test {target}; fuselab toolbox add {target}; "
        f"pip wheel --no-deps {target}\n"
    )
    return 0


def _add(place: str) -> int:
    """Use a folder in every session from now on, a copy of a Git repository, or one left out."""
    left_out = toolboxes.left_out_names()
    if place in left_out:
        toolboxes.set_left_out(left_out - {place})
        sys.stdout.write(f"{place} is no longer left out\n")
        return 0
    folder = folder_in(Path(place)) if Path(place).exists() else _clone_of(place)
    toolbox = read(folder)
    if toolbox.problem:
        raise UsageError(toolbox.problem)
    _refuse_same_name(toolbox)
    found = toolboxes.use(folder, is_installed=True)
    if found.problem:
        raise UsageError(f"the toolbox {found.name} cannot be used: {found.problem}")
    toolboxes.set_added([*(f for f in toolboxes.added_folders() if f != folder), folder])
    sys.stdout.write(f"added {found.name} {found.version} from {folder}\n")
    return 0


def _refuse_same_name(toolbox: Toolbox) -> None:
    for other in toolboxes.known_toolboxes():
        if other.name == toolbox.name and other.folder != toolbox.folder:
            raise UsageError(f"there is a toolbox {other.name} already, in {other.folder}")


def _clone_of(address: str) -> Path:
    """A copy of a repository, ``ADDRESS`` or ``ADDRESS@REVISION``, in the user's folder of data."""
    if "://" not in address:
        raise UsageError(f"there is no folder {address}")
    source, _, revision = address.partition("@")
    name = source.rstrip("/").rpartition("/")[2].removesuffix(".git")
    return clone(source, revision, paths.data_dir() / "toolboxes" / name)


def _remove(name: str) -> int:
    """No longer use a folder that was added; leave out what came with Fuselab."""
    found = next((t for t in toolboxes.known_toolboxes() if t.name == name), None)
    kept = toolboxes.added_folders()
    if found is None:
        raise UsageError(f"there is no toolbox {name}; fuselab toolbox list shows them")
    if found.is_shipped:
        toolboxes.set_left_out({*toolboxes.left_out_names(), name})
        sys.stdout.write(f"{name} is left out from now on: fuselab toolbox add {name}\n")
        return 0
    if found.folder not in kept:
        text = f"{name} was not added but installed, in {found.folder}: uninstall its package"
        raise UsageError(text)
    toolboxes.set_added([f for f in kept if f != found.folder])
    ours = paths.data_dir() / "toolboxes"
    if found.folder.is_relative_to(ours):
        shutil.rmtree(ours / found.folder.relative_to(ours).parts[0])
    sys.stdout.write(f"removed {name}\n")
    return 0


# --- testing --------------------------------------------------------------------------------------


def _test(options: Options, name: str) -> int:
    """Evaluate what its declarations say must be true, then run its unit tests."""
    from app.api import Session
    from app.cli.test import do_test

    toolbox = next((t for t in toolboxes.known_toolboxes() if t.name == name), None)
    if toolbox is None:
        toolbox = toolboxes.use(folder_in(Path(name)))
    if toolbox.problem:
        raise UsageError(f"the toolbox {toolbox.name} cannot be used: {toolbox.problem}")
    folders = (str(toolbox.folder), *options.path)
    with Session(options.device or None, path=folders) as session:
        failed = list(_failures(session, toolbox))
    for problem in failed:
        sys.stdout.write(f"failed     {problem}\n")
    declared = [registry.lookup(function) for function in sorted(toolbox.modules)]
    count = sum(len(function.cases) for function in declared if function is not None)
    sys.stdout.write(f"{count - len(failed)} of {count} declared cases are true\n")
    tests = [p for p in (toolbox.folder / "tests", toolbox.folder.parent / "tests") if p.is_dir()]
    if not tests:
        return 1 if failed else 0
    found = replace(options, verb="test", operands=(str(tests[0]),), path=folders)
    return max(do_test(found), 1 if failed else 0)


def _failures(session: object, toolbox: Toolbox) -> Iterator[str]:
    """The cases that are not true, with what was wrong."""
    from app.api import Session

    assert isinstance(session, Session)
    for name in sorted(toolbox.modules):
        declared = registry.lookup(name)
        for case in () if declared is None else declared.cases:
            try:
                body = parse(SourceText("<case>", case)).file.body
                cut = body[-1].span.start
                session.eval(f"{case[:cut]}\nfuselab_case = all({case[cut:].rstrip(' ;')}, 'all');")
                if session["fuselab_case"] is not True:
                    yield f"{name}: {case}"
            except MatlabError as problem:
                yield f"{name}: {case}: {problem.message}"
