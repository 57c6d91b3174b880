"""Every kind of wrong part in well-formed files: a share of them in every run of the tests."""

from __future__ import annotations

import zipfile
from itertools import islice
from pathlib import Path

import pytest

from app.engine.livecode.document import Control
from app.ui.documents.control_dialog import ControlDialog
from app.ui.documents.controls import FACES, ControlFace
from tests.fuzz import documents, structure

SHARE = {"a.ipynb": 9, "a.mlx": 43, "b.m": 23}
"""One of so many is tried."""


@pytest.mark.parametrize("name", SHARE)
def test_documents_with_a_part_of_the_wrong_kind_are_read_or_refused(
    tmp_path: Path, name: str
) -> None:
    data = documents.written(tmp_path)[name]
    tried = islice(structure.variants(name, data), 0, None, SHARE[name])
    found = [p for said, made in tried if (p := documents.problem(name, said, made, tmp_path))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("key", ["items", "height", "width", "itemLabels", "min"])
def test_parts_that_are_looked_into_may_be_of_any_kind(tmp_path: Path, key: str) -> None:
    """A list that is none, and sides of pictures without an end, were bugs of ours."""
    chosen = [v for v in structure.marked_variants(documents.LIVE.encode()) if f" {key} = " in v[0]]
    found = [p for said, made in chosen if (p := documents.problem("b.m", said, made, tmp_path))]
    assert len(chosen) >= len(structure.WRONG)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("where", ["tr", "tc", "customXml", "p", "sdt"])
def test_elements_nested_too_deeply_are_refused_at_once(tmp_path: Path, where: str) -> None:
    """Rows of tables in each other took twenty seconds."""
    documents.written(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.mlx") as archive:
        body = archive.read("matlab/document.xml")
    deep = [v for v in structure.xml_variants(body) if f"}}{where} " in v[0] and "deep" in v[0]]
    place = tmp_path / "deep.mlx"
    for _, made in deep:
        place.write_bytes(structure.packed({"matlab/document.xml": made}))
        assert "nested more than" in documents.check_file(place)[0]["message"]
    assert deep


@pytest.mark.parametrize("kind", FACES)
def test_controls_are_shown_whatever_their_data_are(qtbot: object, kind: str) -> None:
    """Limits without an end, lists that are none, literals of any size."""
    whole = {"label": "L", "max": 10, "min": 0, "step": 1, "items": ["1"], "itemLabels": ["a"]}
    literals = (
        "",
        "1",
        "Inf",
        "NaN",
        "1e300",
        "[1 NaN]",
        "-1e300",
        "'x",
        f"datetime({'9' * 20},1,1)",
    )
    for key, wrong in ((k, w) for k in whole for w in structure.WRONG):
        if wrong != "\ud800":  # a live script is UTF-8
            control = Control(kind, "1", 1, 1, 2, {**whole, key: wrong})
            ControlFace(control, "5")
            ControlDialog(None, kind, control.data, dict)  # type: ignore[arg-type]
    for literal in literals:
        face = ControlFace(Control(kind, "1", 1, 1, 2, whole), literal)
        face.take(face.control, "NaN")
