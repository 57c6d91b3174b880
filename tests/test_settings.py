from __future__ import annotations

from pathlib import Path

import pytest

from app import paths, settings
from app.errors import UsageError


def write_file(text: str) -> Path:
    path = paths.config_dir() / settings.FILE
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_the_declared_ones() -> None:
    loaded = settings.load({})
    assert loaded.capture_threshold == 1024
    assert {d.name: getattr(loaded, d.name) for d in settings.declarations()} == {
        d.name: d.default for d in settings.declarations()
    }


def test_every_setting_says_what_it_is() -> None:
    for declared in settings.declarations():
        assert declared.description.endswith(".")
        assert declared.variable == f"FUSELAB_{declared.name.upper()}"
        assert type(declared.default) is declared.type


def test_environment_wins_over_file() -> None:
    write_file('seed = 3\ndevice = "cpu"\n')
    loaded = settings.load({"FUSELAB_SEED": "1e3"})
    assert (loaded.seed, loaded.device) == (1000, "cpu")
    assert (loaded.origin("seed"), loaded.origin("device")) == ("environment", "file")


def test_broken_file_is_renamed_aside_and_reported() -> None:
    path = write_file("seed = = 3")
    loaded = settings.load({})
    assert loaded.seed == 0
    assert not path.exists()
    assert path.with_name("settings.toml.broken-1").read_text(encoding="utf-8") == "seed = = 3"
    assert "settings file is broken" in loaded.problems[0]


def test_wrong_value_is_reported_and_ignored() -> None:
    write_file('capture_threshold = "many"\n')
    loaded = settings.load({"FUSELAB_CALIBRATION": "perhaps"})
    assert (loaded.capture_threshold, loaded.calibration) == (1024, True)
    assert len(loaded.problems) == 2


def test_unknown_name_is_reported_and_survives_saving() -> None:
    path = write_file('future = "kept"\n')
    loaded = settings.load({})
    loaded.set("theme", "light")
    loaded.save()
    assert path.read_text(encoding="utf-8") == 'future = "kept"\ntheme = "light"\n'


WRITTEN = """\
# Of the lab; ask before you change it.
seed = 3  # lucky
device = 'cpu'

# Look
theme = "light"   # for the projector
editor_completions=true
capture_threshold = "many"

[future]  # of a later version
a = [1,
     2]  # two
"""


def test_saving_leaves_what_a_person_wrote_as_it_is() -> None:
    path = write_file(WRITTEN)
    settings.load({}).save()
    assert path.read_text(encoding="utf-8") == WRITTEN


def test_a_changed_setting_keeps_its_comment_and_the_others_theirs() -> None:
    path = write_file(WRITTEN)
    loaded = settings.load({"FUSELAB_DEVICE": "gpu"})
    loaded.set("seed", 7)
    loaded.set("theme", settings.declaration("theme").default)
    loaded.set("octave", True)
    loaded.save()
    expected = WRITTEN.replace("seed = 3 ", "seed = 7 ").replace(
        'theme = "light"   # for the projector\n', ""
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines.index("octave = true") < lines.index("[future]  # of a later version")
    assert [line for line in lines if line != "octave = true"] == expected.splitlines()
    again = settings.load({})
    assert (again.seed, again.device, again.octave) == (7, "cpu", True)


def test_a_file_broken_meanwhile_is_put_aside() -> None:
    loaded = settings.load({})
    path = write_file("# mine\nseed = = 3")
    loaded.set("seed", 4)
    loaded.save()
    assert path.read_text(encoding="utf-8") == "seed = 4\n"
    aside = path.with_name("settings.toml.broken-1")
    assert aside.read_text(encoding="utf-8") == "# mine\nseed = = 3"


def test_saving_leaves_out_what_only_the_environment_said() -> None:
    loaded = settings.load({"FUSELAB_SEED": "5"})
    assert loaded.save().read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("octave", "2"),
        ("seed", -1),
        ("seed", 1.5),
        ("theme", "pink"),
        ("nothing", 1),
        ("seed", True),
    ],
)
def test_set_refuses_what_is_wrong(name: str, raw: object) -> None:
    with pytest.raises(UsageError):
        settings.Settings().set(name, raw)


def test_subscribers_hear_of_changes() -> None:
    heard: list[str] = []
    changed = settings.Settings()
    changed.subscribe(heard.append)
    changed.set("fast_maths", raw=True)
    assert heard == ["fast_maths"]
