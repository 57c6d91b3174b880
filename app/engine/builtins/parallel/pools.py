"""Pools of workers: parpool, gcp, parcluster and what a parfor may be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin, native_type
from app.engine.parallel.cluster import SCHEMES, Cluster
from app.engine.parallel.parallel import Parallel, parallel_of
from app.engine.values import (
    EMPTY,
    Cell,
    NativeObject,
    Value,
    as_array,
    float_of,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.engine.values.containers import no_member
from app.engine.values.display_inline import in_field
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.values.display_format import DisplayFormat

_FAMILY = "parallel"
_PROFILES = {"processes": "Processes", "local": "Processes", "threads": "Threads"}
_OPTIONS = ("IdleTimeout", "SpmdEnabled", "AutoAddClientPath", "AttachedFiles")
_OPTIONS_SHOWN = ("AttachedFiles", "IdleTimeout", "SpmdEnabled")
MOST = 512
MINUTE_S = 60.0


_KINDS = {"Pool": "ProcessPool", "Cluster": "cluster.Local", "BackgroundPool": "BackgroundPool"}
_OTHER_NAMES = {"ProcessPool": ("ThreadPool", "ClusterPool"), "cluster.Local": ("", "cluster.Dask")}
"""Names where the profile says Threads, and where it is the address of a scheduler."""


@native_type
class PoolObject(NativeObject):
    """The session's pool, or this machine as a cluster.

    Attributes:
        kind: Pool, Cluster or BackgroundPool.
        profile: the name it was asked for by.
        limit: the workers that were said to be a cluster's; 0 where nothing was said.
        folder: where a cluster was told to keep its jobs, which are kept in memory.
    """

    class_name = "parallel.Pool"
    is_handle = True
    travels = False

    def __init__(self, parallel: Parallel, profile: str, kind: str = "Pool") -> None:
        self.parallel, self.profile, self.kind = parallel, profile, kind
        self.limit, self.folder = 0, ""
        self._pool = parallel.pool
        name = _KINDS[kind]
        of_threads, of_machines = _OTHER_NAMES.get(name, ("", ""))
        if profile == "Threads":
            name = of_threads or name
        elif _is_address(profile):
            name = of_machines or name
        self.class_name = f"parallel.{name}"
        self.superclasses = (f"parallel.{'Cluster' if kind == 'Cluster' else 'Pool'}", "handle")

    @property
    def is_valid(self) -> bool:
        """Whether there is such a pool; there is always a cluster."""
        return self.kind != "Pool" or (self._pool is not None and self._pool is self.parallel.pool)

    range_size = 0
    """Behind the range of a parfor a pool says nothing of the length of ranges."""

    @property
    def most(self) -> int:
        """Behind the range of a parfor: how many workers it may have."""
        return self.workers

    @property
    def workers(self) -> int:
        """How many workers there are, or may be."""
        pool = self._pool if self.kind == "Pool" else self.parallel.pool
        if self.limit:
            return self.limit
        if _is_address(self.profile) and (pool is None or pool.machines.name != self.profile):
            return _places_at(self.profile)
        if pool is not None:
            return pool.size
        return 0 if self.kind == "Pool" else self.parallel.default_size

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``pool.NumWorkers`` and the other properties."""
        if name == "FevalQueue":
            return ctx.call("parallel.FevalQueue", (), 1)[0]
        return self._member(name)

    def _member(self, name: str) -> Value:
        attached = self.parallel.attached
        known: dict[str, Callable[[], Value]] = {
            "NumWorkers": lambda: float(self.workers),
            "Cluster": lambda: PoolObject(self.parallel, self.profile, "Cluster"),
            "Profile": lambda: self.profile,
            "Connected": lambda: self.is_valid,
            "Busy": lambda: self.is_valid and self.parallel.is_busy,
            "IdleTimeout": lambda: self._idle_minutes,
            "SpmdEnabled": lambda: self.parallel.spmd_enabled,
            "Type": lambda: "Dask" if _is_address(self.profile) else "Local",
            "Host": lambda: self.profile if _is_address(self.profile) else "localhost",
            "JobStorageLocation": lambda: self.folder,
            "AttachedFiles": lambda: Cell.of(attached, (len(attached), 1)),
        }
        if name not in known:
            raise no_member(self.class_name, name)
        return known[name]()

    @property
    def _idle_minutes(self) -> float:
        pool = self.parallel.pool
        return np.inf if pool is None else pool.idle_s / MINUTE_S

    def set_member(self, ctx: Context, name: str, value: Value) -> NativeObject:
        """``pool.IdleTimeout = minutes``; nothing else of a pool can be changed."""
        pool = self.parallel.pool
        if self.kind == "Cluster" and name == "NumWorkers":
            self.limit = _positive(value, "NumWorkers")
            return self
        if self.kind == "Cluster" and name == "JobStorageLocation":
            self.folder = text_of(value)
            return self
        if name != "IdleTimeout" or pool is None:
            text = f"'{name}' of a {self.class_name} cannot be set."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        pool.idle_s = _minutes(value) * MINUTE_S
        return self

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        if self.kind == "Cluster":
            return ["Profile", "Type", "Host", "NumWorkers", "JobStorageLocation"]
        if self.kind == "BackgroundPool":
            return ["NumWorkers", "Busy"]
        return ["Connected", "NumWorkers", "Busy", "Profile", *_OPTIONS_SHOWN]

    def show(self, name: str, style: DisplayFormat) -> str:
        """Its properties, one a line."""
        word = self.class_name.rpartition(".")[2]
        if not self.is_valid:
            return f"  handle to deleted {word}\n"
        shown = {n: self._member(n) for n in self.members()}
        return properties_text(word, shown, style)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``delete(pool)``, ``isvalid(pool)``."""
        valid: dict[str, Callable[..., Value]] = {"isvalid": lambda ctx, args, n: self.is_valid}
        attach = {
            name: lambda ctx, args, n: self._attach(ctx, *args[1:])
            for name in ("addAttachedFiles", "updateAttachedFiles")
        }
        if self.kind == "Cluster":
            return {"parpool": lambda ctx, args, n: parpool(ctx, *args), **valid}
        return {"delete": lambda ctx, args, n: self._delete(), **attach, **valid}

    def _delete(self) -> Value:
        if self.is_valid:
            self.parallel.close()
        return ()

    def _attach(self, ctx: Context, files: Value = "") -> Value:
        """Workers read the files of this machine: those named must be where they look."""
        added = _attached_files(ctx, files) if numel(files) else ()
        self.parallel.attached = (*self.parallel.attached, *added)
        return ()


def properties_text(word: str, shown: dict[str, Value], style: DisplayFormat) -> str:
    """Properties of an object as they are displayed, one a line."""
    width = 4 + max(map(len, shown))
    lines = (f"{n:>{width}}: {in_field(v, style)}\n" for n, v in shown.items())
    return f"  {word} with properties:\n\n{''.join(lines)}"


@builtin(
    "parpool",
    category=_FAMILY,
    device=SESSION,
    signatures=(
        "pool = parpool",
        "pool = parpool(n)",
        "pool = parpool(profile, n)",
        "pool = parpool(address, n)",
    ),
    cases=("ischar(func2str(@() parpool(2)))",),
    see=("gcp", "parcluster", "parfeval", "delete"),
)
def parpool(ctx: Context, *args: Value) -> Value:
    """Start workers: processes of this machine, each with a session of its own.

    They stay until ``delete(gcp)`` or the end of the session; a ``parfor`` that pays starts a pool
    by itself. ``'Threads'`` has processes, too, though its class is ``parallel.ThreadPool``.
    ``parpool('tcp://host:8786')`` has workers on the machines that have joined that scheduler with
    ``fuselab worker``; code and attached files travel there.
    ``'IdleTimeout'`` ends the pool after so many minutes without work, ``'SpmdEnabled', false``
    makes it refuse ``spmd``. Workers read this machine's files and have the search path, so that
    ``'AttachedFiles'`` must be there and ``'AutoAddClientPath', false`` is refused.
    """
    parallel = parallel_of(ctx)
    if parallel.is_worker:
        text = "A worker cannot have a pool of its own."
        raise MatlabError("parallel:cluster:NestedPool", text)
    if parallel.ready(wait=True) is not None:
        text = "There is a pool already; delete(gcp('nocreate')) ends it."
        raise MatlabError("parallel:convenience:ConnectionOpen", text)
    rest = list(args)
    profile, size = _requested_pool(parallel, rest)
    chosen = _options(ctx, rest)
    if _is_address(profile):
        pool = parallel.open(*_on_cluster(profile, size))
    else:
        pool = parallel.open(size or parallel.default_size, profile=profile)
    pool.idle_s, parallel.spmd_enabled, parallel.attached = chosen
    return PoolObject(parallel, profile)


def _requested_pool(parallel: Parallel, args: list[Value]) -> tuple[str, int]:
    """Profile and number of workers, 0 for no wish, taken off the front of the arguments."""
    profile, size = "Processes", 0
    if args and isinstance(args[0], PoolObject):
        profile, size = args[0].profile, args[0].limit
        args.pop(0)
    elif args and is_text_scalar(args[0]) and not _option(args[0]):
        profile = _profile(text_of(args.pop(0)), "profile")
    if args and is_numeric_like(args[0]) and not is_text_scalar(args[0]):
        numbers = as_array(args.pop(0)).ravel()
        size = int(numbers[-1]) if numbers.size else 0
        if not numbers.size or numbers[-1] != size or not 1 <= size <= MOST:
            text = f"The number of workers must be a whole number from 1 to {MOST}."
            raise MatlabError("parallel:cluster:BadNumWorkers", text)
        if numbers.size > 1:  # from one number to another: as many as there are cores
            size = max(int(numbers[0]), min(size, parallel.default_size))
    return profile, size


def _profile(word: str, what: str) -> str:
    """The profile, or the address of a scheduler, that a word means."""
    known = word if _is_address(word) else _PROFILES.get(word.lower())
    if known is None:
        text = (
            f"There is no {what} '{word}': pools run on this machine ('Processes') or on the "
            "machines of a scheduler ('tcp://host:8786')."
        )
        raise MatlabError("parallel:cluster:UnknownProfile", text)
    return known


def _is_address(word: str) -> bool:
    return word.startswith(SCHEMES)


def _places_at(address: str) -> int:
    cluster = Cluster(address)
    cluster.close()
    return cluster.size


def _on_cluster(address: str, size: int) -> tuple[int, Cluster]:
    """How many workers a scheduler's machines are to have; all they take where nobody has said."""
    cluster = Cluster(address)
    if 1 <= (size or cluster.size) <= cluster.size:
        return size or cluster.size, cluster
    cluster.close()
    text = (
        f"The machines of the cluster at {address} take {cluster.size} workers, not {size}."
        if cluster.size
        else f"No machine has joined the cluster at {address}; "
        f"'fuselab worker {address}' on a machine joins it."
    )
    raise MatlabError("parallel:cluster:BadNumWorkers", text)


def _option(word: Value) -> str:
    """The option of parpool that a value names; empty where it names none."""
    given = text_of(word).lower() if is_text_scalar(word) else ""
    return next((name for name in _OPTIONS if name.lower() == given), "")


def _options(ctx: Context, args: list[Value]) -> tuple[float, bool, tuple[str, ...]]:
    """Seconds until an idle pool ends, whether it runs spmd, and attached files."""
    idle_s, spmd = np.inf, True
    attached: tuple[str, ...] = ()
    for word, value in named_pairs("parpool", args):
        match _option(word):
            case "IdleTimeout":
                idle_s = _minutes(value) * MINUTE_S
            case "SpmdEnabled":
                spmd = _switch(value, "SpmdEnabled")
            case "AutoAddClientPath":
                if not _switch(value, "AutoAddClientPath"):
                    text = (
                        "'AutoAddClientPath', false is not supported: workers always look for "
                        "functions where this session does."
                    )
                    raise MatlabError("parallel:cluster:UnsupportedOption", text)
            case "AttachedFiles":
                attached = _attached_files(ctx, value)
            case _:
                shown = text_of(word) if is_text_scalar(word) else "a value"
                text = f"parpool has no option '{shown}'."
                raise MatlabError("parallel:cluster:UnknownOption", text)
    return float(idle_s), spmd, attached


def named_pairs(function: str, args: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Names with their values. Raises MatlabError where the last name has no value."""
    if len(args) % 2:
        shown = f"'{text_of(args[-1])}'" if is_text_scalar(args[-1]) else "what comes last"
        text = f"The options of {function} come in pairs of name and value; {shown} has no value."
        raise MatlabError("MATLAB:InputParser:ParamMissingValue", text)
    return zip(args[::2], args[1::2], strict=True)


def _number(value: Value) -> float:
    """A numeric scalar; NaN for what is none."""
    is_number = is_numeric_like(value) and not is_text_scalar(value) and numel(value) == 1
    return float_of(value) if is_number else float("nan")


def _minutes(value: Value) -> float:
    number = _number(value)
    if not number > 0:
        text = "IdleTimeout must be a positive number of minutes, or Inf."
        raise MatlabError("parallel:cluster:BadIdleTimeout", text)
    return number


def _switch(value: Value, name: str) -> bool:
    number = float_of(value) if is_numeric_like(value) and numel(value) == 1 else -1.0
    if number not in (0.0, 1.0):
        raise MatlabError("parallel:cluster:BadOption", f"{name} must be true or false.")
    return bool(number)


def _attached_files(ctx: Context, value: Value) -> tuple[str, ...]:
    """Files that workers are to have: they must be there, code where functions are found."""
    names = tuple(texts_of(value, "AttachedFiles"))
    for name in names:
        if not Path(name).exists() and not _is_called(ctx, Path(name)):
            text = f"There is no file '{name}' to attach."
            raise MatlabError("parallel:cluster:FileNotFound", text)
        code = [Path(name)] if Path(name).suffix == ".m" else sorted(Path(name).glob("*.m"))
        missed = next((file for file in code if not _is_called(ctx, file)), None)
        if missed is not None:
            text = (
                f"'{missed}' cannot be attached: workers call the functions that this session "
                "calls, and it does not find this one. Use addpath with its folder first."
            )
            raise MatlabError("parallel:cluster:FileNotOnPath", text)
    return names


@builtin(
    "gcp",
    category=_FAMILY,
    device=SESSION,
    signatures=("pool = gcp", "pool = gcp('nocreate')"),
    cases=("delete(gcp('nocreate')); isempty(gcp('nocreate'))",),
    see=("parpool",),
)
def gcp(ctx: Context, word: Value = "") -> Value:
    """The current pool, made if need be; ``[]`` with ``'nocreate'`` when there is none."""
    parallel = parallel_of(ctx)
    pool = parallel.ready(wait=True)
    if pool is not None:
        return PoolObject(parallel, parallel.profile)
    return EMPTY if text_of(word).lower() == "nocreate" else parpool(ctx)


@builtin(
    "parcluster",
    category=_FAMILY,
    device=SESSION,
    signatures=("c = parcluster", "c = parcluster(profile)"),
    cases=("parcluster('local').NumWorkers >= 1",),
    see=("parpool",),
)
def parcluster(ctx: Context, profile: Value = "Processes") -> Value:
    """This machine as a cluster, or the machines of a scheduler: ``parcluster('tcp://host:8786')``."""
    found = _profile(text_of(profile), "cluster")
    return PoolObject(parallel_of(ctx), found, "Cluster")


@builtin(
    "backgroundPool",
    category=_FAMILY,
    device=SESSION,
    signatures=("pool = backgroundPool",),
    cases=("isobject(backgroundPool)",),
    see=("parfeval", "parpool"),
)
def background_pool(ctx: Context) -> Value:
    """A pool for parfeval; its workers are those of the session's pool, started when needed."""
    return PoolObject(parallel_of(ctx), "Processes", "BackgroundPool")


@native_type
class ParforOptions(NativeObject):
    """What a parfor is told behind its range.

    Attributes:
        range_size: passes in one range; 0 where the loop decides.
        most: workers at most.
    """

    class_name = "parallel.parfor.ProcessPoolOptions"

    def __init__(self, range_size: int, most: int) -> None:
        self.range_size, self.most = range_size, most


@builtin(
    "parforOptions",
    category=_FAMILY,
    device=SESSION,
    signatures=("opts = parforOptions(pool, 'MaxNumWorkers', m, 'SubrangeSize', n)",),
    cases=("isobject(parforOptions(parcluster, 'MaxNumWorkers', 2))",),
    see=("parpool",),
)
def parfor_options(ctx: Context, pool: Value, *options: Value) -> Value:
    """Options of a parfor: ``parfor (i = 1:n, opts)``.

    ``'MaxNumWorkers'`` caps the workers; ``'RangePartitionMethod'`` is ``'auto'`` or ``'fixed'``,
    the latter with ``'SubrangeSize'``. Answers do not depend on them.
    """
    if not isinstance(pool, PoolObject):
        text = "parforOptions takes a pool or a cluster first."
        raise MatlabError("parallel:parfor:BadPool", text)
    size, most, fixed = 0, 0, False
    for word, value in named_pairs("parforOptions", options):
        match text_of(word).lower():
            case "maxnumworkers":
                most = _positive(value, "MaxNumWorkers")
            case "subrangesize":
                size = _positive(value, "SubrangeSize")
            case "rangepartitionmethod" if text_of(value).lower() in ("auto", "fixed"):
                fixed = text_of(value).lower() == "fixed"
            case _:
                shown = text_of(word)
                text = f"parforOptions does not have the option '{shown}', or not with this value."
                raise MatlabError("parallel:parfor:UnknownOption", text)
    if size and not fixed:
        text = "'SubrangeSize' is for 'RangePartitionMethod', 'fixed'."
        raise MatlabError("parallel:parfor:UnknownOption", text)
    if fixed and not size:
        text = "The partition 'fixed' needs 'SubrangeSize'."
        raise MatlabError("parallel:parfor:UnknownOption", text)
    return ParforOptions(size, most)


def _positive(value: Value, name: str) -> int:
    number = float_of(value) if numel(value) == 1 else 0.0
    if number == np.inf:
        return MOST
    if not number.is_integer() or number < 1:
        raise MatlabError("parallel:parfor:BadOption", f"{name} must be a positive whole number.")
    return int(number)


def _is_called(ctx: Context, file: Path) -> bool:
    """Whether the name of a file of code means this file; a name without a folder, any file."""
    found = ctx.interpreter.path.find(file.stem) if file.suffix == ".m" else None
    return found is not None and (not file.exists() or file.resolve() == Path(found).resolve())


@builtin(
    "parallel.defaultClusterProfile",
    category=_FAMILY,
    device=SESSION,
    signatures=("name = parallel.defaultClusterProfile",),
    cases=("strcmp(parallel.defaultClusterProfile, 'Processes')",),
    see=("parcluster",),
)
def default_cluster_profile(name: Value = "Processes") -> Value:
    """The profile of pools that nobody names: processes of this machine."""
    if text_of(name).lower() not in _PROFILES:
        text = f"There is no profile '{text_of(name)}': pools run on this machine ('Processes')."
        raise MatlabError("parallel:cluster:UnknownProfile", text)
    return "Processes"
