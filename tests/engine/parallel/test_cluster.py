"""Pools on other machines: a real scheduler and joined machines in processes, over loopback."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.parallel.cluster import Cluster
from app.errors import MatlabError
from tests.engine.parallel.clusters import LoopbackCluster
from tests.engine.parallel.random_bodies import NAMES, random_body
from tests.engine.parallel.running import Owner, alive, once_at_work, stop_at_work, wait_until
from tests.engine.parallel.same_bits import differences

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    made = LoopbackCluster()
    made.join(3, folder=tmp_path_factory.mktemp("elsewhere"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def owner(cluster: LoopbackCluster) -> Iterator[Owner]:
    made = cluster.owner(2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def plain() -> Iterator[Owner]:
    made = Owner()
    yield made
    made.close()


@pytest.mark.parametrize("seed", range(40, 52))
def test_the_same_bits_as_here(owner: Owner, plain: Owner, seed: int) -> None:
    before, loop = random_body(seed)
    for one in (owner, plain):
        one.run("clear;" + before + loop)
    assert differences(plain, owner, [*NAMES, "last"]) == []


PROGRAMS = (
    "x = ones(300, 400); parfor i = 1:400, y(i) = sum(x(:, i)*i); end; ok = isequal(y, 300*(1:400));",
    "f = parfeval(@(a, b) deal(a + b, a*b), 2, 3, 4); [p, q] = fetchOutputs(f); ok = p == 7 && q == 12;",
    "spmd, a = spmdPlus(spmdIndex); end; ok = a{1} == 3 && a{2} == 3;",
    "spmd, if spmdIndex == 1, spmdSend((1:5)', 2); b = 0; else, b = spmdReceive(1); end, end; ok = isequal(b{2}, (1:5)');",
    "q = parallel.pool.PollableDataQueue; parfor i = 1:4, send(q, i); end; s = 0; for k = 1:4, s = s + poll(q, 2); end; ok = s == 10;",
    "p = gcp; ok = p.NumWorkers == 2 && p.Connected && strcmp(p.Cluster.Type, 'Dask');",
    "c = parallel.pool.Constant(@() rand(3)); parfor i = 1:3, y(i) = numel(c.Value); end; ok = isequal(y, [9 9 9]);",
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_true(owner: Owner, program: str) -> None:
    owner.run("clear;" + program)
    assert owner.value("ok") is True


def test_a_message_in_parts(cluster: LoopbackCluster) -> None:
    own = cluster.owner(1)
    own.run("x = ones(1000, 1200); parfor i = 1:2, y(i) = sum(x(:))*i; z(:, i) = x(:); end;")
    own.run("ok = isequal(y, [12e5 24e5]) && isequal(size(z), [12e5 2]) && all(z(:));")
    assert own.value("ok") is True
    own.close()


def folder_of_code(folder: Path) -> None:
    for name, text in {
        "helper.m": "function y = helper(x)\ny = hidden(x) + pack.twice(x);\nend\n",
        "private/hidden.m": "function y = hidden(x)\ny = x + 0.5;\nend\n",
        "+pack/twice.m": "function y = twice(x)\ny = 2*x;\nend\n",
        "Held.m": "classdef Held\nproperties\nV = 0;\nend\nmethods\nfunction o = Held(v), if nargin, o.V = v; end, end\n"
        "function y = tripled(o), y = 3*o.V; end\nend\nend\n",
        "fails.m": "function y = fails(x)\ny = x;\nif x == 3, error('a:b', 'three'); end\nend\n",
        "data/seven.txt": "7",
        "other/apart.m": "function y = apart(x)\ny = -x;\nend\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_code_travels_by_what_is_in_it(owner: Owner, tmp_path: Path) -> None:
    folder_of_code(tmp_path)
    owner.run(
        f"clear; cd('{tmp_path}'); addpath('other'); h = Held(2);"
        "parfor i = 1:4, y(i) = helper(i) + apart(i) + tripled(h); o(i) = Held(i); w{i} = which('helper'); end;"
        "ok = isequal(y, 2*(1:4) + 6.5) && o(3).V == 3;"
    )
    assert owner.value("ok") is True
    owner.run("w = w{1};")
    assert str(owner.value("w")) != str(tmp_path / "helper.m")  # its own copy

    (tmp_path / "+pack/twice.m").write_text("function y = twice(x)\ny = 20*x;\nend\n")
    (tmp_path / "private/hidden.m").unlink()
    (tmp_path / "hidden.m").write_text("function y = hidden(x)\ny = x + 0.25;\nend\n")
    owner.run("parfor i = 1:4, y(i) = helper(i); end; ok = isequal(y, 21*(1:4) + 0.25);")
    assert owner.value("ok") is True

    with pytest.raises(MatlabError, match="three") as found:
        owner.run("parfor i = 1:4, y(i) = fails(i); end")
    assert next((f.name, f.file, f.line) for f in found.value.stack) == (
        "fails",
        str(tmp_path / "fails.m"),
        3,
    )
    owner.run("addAttachedFiles(gcp, 'data'); parfor i = 1:2, y(i) = load('data/seven.txt'); end")
    owner.run("ok = isequal(y(1:2), [7 7]);")
    assert owner.value("ok") is True


def test_a_pool_of_a_script(cluster: LoopbackCluster) -> None:
    own = Owner()
    own.run(
        f"c = parcluster('{cluster.address}'); n = c.NumWorkers; p = parpool(c, 1); parfor i = 1:3, y(i) = i; end;"
        f"delete(p); p = parpool('{cluster.address}', 1); ok = n >= 1 && isequal(y, 1:3) && p.NumWorkers == 1; delete(p)"
    )
    assert own.value("ok") is True
    with pytest.raises(MatlabError, match="take 3 workers, not 9"):
        own.run(f"parpool('{cluster.address}', 9)")
    assert own.parallel.pool is None
    own.close()


def test_places_that_are_taken_are_refused(cluster: LoopbackCluster, owner: Owner) -> None:
    del owner  # has two places
    own = Owner()
    with pytest.raises(MatlabError, match="all places are taken"):
        own.parallel.open(cluster.size(), Cluster(cluster.address))
    own.close()


def test_a_stop_ends_at_once(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.parallel.pool.STOP_S", 600.0)  # nobody is killed for it
    assert stop_at_work(owner) < 60
    owner.run("clear; parfor i = 1:5, y(i) = i; end; ok = isequal(y, 1:5);")
    assert owner.value("ok") is True


def test_workers_and_machines_that_die() -> None:
    made = LoopbackCluster()
    made.join(1)
    made.join(1)
    own = made.owner(1)
    victim = own.processes()[0]
    with once_at_work(own, lambda: os.kill(victim, signal.SIGKILL)):
        own.run("parfor i = 1:40, pause(0.01); y(i) = i; end; ok = isequal(y, 1:40);")
    assert own.value("ok") is True
    assert wait_until(lambda: own.processes() != [victim])

    inner = own.processes()[0]
    (host,) = [h for h in made.hosts if _is_child(inner, h.pid)]
    with once_at_work(own, host.kill):
        own.run("clear; parfor i = 1:40, pause(0.01); y(i) = i; end; ok = isequal(y, 1:40);")
    assert own.value("ok") is True
    assert wait_until(lambda: not alive(inner))

    inner = own.processes()[0]
    lost = pytest.raises(MatlabError, match=r"No worker is left: .*not reached")
    with lost, once_at_work(own, made.scheduler.kill):
        own.run("clear; parfor i = 1:400, pause(0.05); y(i) = i; end")
    assert wait_until(lambda: not alive(inner))
    own.close()
    made.close()


def _is_child(process: int, parent: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1] == str(parent)


def test_nothing_is_left_of_an_owner_that_was_killed(cluster: LoopbackCluster) -> None:
    code = (
        "import sys, time; from app.engine.parallel.cluster import Cluster;"
        "from tests.engine.parallel.running import Owner; o = Owner();"
        f"o.parallel.open(1, Cluster('{cluster.address}')); print(*o.processes(), flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    (worker,) = map(int, process.stdout.readline().split())
    assert alive(worker)
    process.kill()
    process.wait()
    process.stdout.close()
    assert wait_until(lambda: not alive(worker))


def test_what_is_no_cluster_is_named(cluster: LoopbackCluster) -> None:
    with pytest.raises(MatlabError, match=r"There is no cluster at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9")
    alone = LoopbackCluster()
    own = Owner()
    with pytest.raises(MatlabError, match=f"'fuselab worker {alone.address}'"):
        own.run(f"parpool('{alone.address}')")
    dask = "import distributed.cli.dask_worker as d, sys; sys.argv = ['w', *sys.argv[1:]]; d.main()"
    alone.join(1, "-c", dask, alone.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with pytest.raises(MatlabError, match="is not a Fuselab worker"):
        own.run(f"parpool('{alone.address}')")
    with pytest.raises(MatlabError, match="There is no profile 'http://127"):
        own.run("parpool('http://127.0.0.1:1')")
    own.close()
    alone.close()


def test_a_dask_worker_that_has_loaded_us() -> None:
    made = LoopbackCluster()
    dask = "import distributed.cli.dask_worker as d, sys; sys.argv = ['w', *sys.argv[1:]]; d.main()"
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--preload")
    made.join(1, "-c", dask, made.address, *options, "app.engine.parallel.cluster_host")
    own = made.owner(1)
    own.run("parfor i = 1:5, y(i) = i; end; ok = isequal(y, 1:5);")
    assert own.value("ok") is True
    own.close()
    made.close()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nonsense", "is such as tcp://host:8786, not nonsense"),
        ("tcp://127.0.0.1:9", "no scheduler was reached at tcp://127.0.0.1:9"),
        ("tcp://127.0.0.1:word", "no scheduler was reached at"),
    ],
)
def test_a_machine_that_cannot_join_says_why(address: str, says: str) -> None:
    command = [sys.executable, "-m", "app", "worker", address, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr
    with pytest.raises(MatlabError):
        Cluster(address)


def test_a_loop_ends_with_its_scheduler() -> None:
    made = LoopbackCluster()
    made.join(2)
    own = made.owner(2)
    workers = own.processes()
    lost = pytest.raises(MatlabError, match=r"No worker is left: tcp.* is not reached")
    with lost, once_at_work(own, made.scheduler.kill):
        own.run("parfor i = 1:4000, pause(0.05); y(i) = i; end")
    assert wait_until(lambda: not any(map(alive, workers)))
    own.close()
    made.close()


def test_a_machine_ends_with_its_scheduler() -> None:
    made = LoopbackCluster()
    made.join(1)
    made.scheduler.kill()
    assert made.hosts[0].wait(30) == 0
    made.close()


def test_another_version_is_refused(
    cluster: LoopbackCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.parallel.cluster.__version__", "0.0.1")
    own = Owner()
    with pytest.raises(MatlabError, match=r"and 0\.0\.1 here: they must be the same"):
        own.parallel.open(1, Cluster(cluster.address))
    own.close()


def test_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made_by = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
    subprocess.run(
        [openssl, *made_by, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    variables = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(certificate)}
    for role in ("CLIENT", "WORKER", "SCHEDULER"):
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(certificate)
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(key)
    code = (
        "import sys; from tests.engine.parallel.clusters import LoopbackCluster; c = LoopbackCluster('tls');"
        "c.join(1); o = c.owner(1); o.run('parfor i = 1:5, y(i) = i; end; ok = isequal(y, 1:5);');"
        "print(c.address[:6], o.value('ok')); o.close(); c.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "tls:// True\n", done.stderr
