"""The parfor of an example, unchanged, in every way that it may run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import paths
from tests.engine.parallel.clusters import LoopbackCluster
from tests.engine.parallel.running import Owner
from tests.engine.parallel.same_bits import ran
from tests.support.adapters import require_adapter

EXAMPLES = {"predators_parfor": ("n = 4000", "steps = 1000"), "bootstrap_parfor": ("n = 200",)}
SMALL = {"n = 4000": "n = 140", "steps = 1000": "steps = 6", "n = 200": "n = 20"}
KERNEL = {"predators_parfor": "ran as one kernel", "bootstrap_parfor": "the parfor is not a kernel"}
"""What the report says: the random sample of a pass is drawn on the host."""


def text_of(name: str) -> str:
    """An example with less work in it."""
    text = paths.resource(f"examples/{name}.m").read_text()
    for words in EXAMPLES[name]:
        assert words in text
        text = text.replace(words, SMALL[words])
    return text.replace("passes = 2000", "passes = 150")


@pytest.fixture(scope="module")
def owners() -> Iterator[tuple[Owner, Owner, Owner]]:
    made = Owner(), Owner(), Owner(2)
    made[0].session.settings.set("compile_loops", False)
    made[1].session.settings.set("host_threads", 3)
    yield made
    for owner in made:
        owner.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_text_everywhere(
    owners: tuple[Owner, Owner, Owner], name: str, tmp_path: Path
) -> None:
    plain, here, pool = owners
    text = text_of(name)
    for owner in owners:
        owner.text = ""
    for owner in owners:
        assert ran(owner, text)[0] == ""
    assert plain.text.count("\n") == 2
    assert here.text == pool.text == plain.text

    error, said = ran(here, text, forced=True)
    assert (error, here.text) == ("", 2 * plain.text)
    assert KERNEL[name] in said

    (tmp_path / "example.m").write_text(text)
    pool.text = ""
    pool.run(f"cd('{tmp_path}'); j = batch('example'); wait(j); diary(j)")
    assert plain.text in pool.text


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_text_on_cards(owners: tuple[Owner, Owner, Owner], name: str) -> None:
    """As one kernel on an adapter, and on workers of which each has one."""
    plain, text = owners[0], text_of(name)
    one = Owner(device="gpu")
    require_adapter(one.session.acceleration.runtime.open())
    several = Owner(device="gpu")
    several.parallel.always = True
    several.parallel.open(2)
    plain.text = ""
    assert ran(plain, text)[0] == ""
    error, said = ran(one, text, forced=True)
    assert (error, one.text) == ("", plain.text)
    assert KERNEL[name] in said
    assert ran(several, text)[0] == ""
    assert several.text == plain.text
    pool = several.parallel.pool
    assert pool is not None
    assert {w.device for w in pool.workers} <= {"auto", "gpu:1", "gpu:2"}
    for owner in (one, several):
        owner.close()


def test_the_same_text_on_other_machines(owners: tuple[Owner, Owner, Owner]) -> None:
    pytest.importorskip("distributed")
    plain = owners[0]
    cluster = LoopbackCluster()
    for _ in range(2):
        cluster.join(1)
    owner = cluster.owner(2)
    for name in EXAMPLES:
        plain.text = owner.text = ""
        for one in (plain, owner):
            assert ran(one, text_of(name))[0] == ""
        assert owner.text == plain.text
    owner.close()
    cluster.close()
