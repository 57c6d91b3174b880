"""A part of the campaigns for every run of the tests; see the modules for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.readers import Campaign


def test_damaged_files_end_in_values_or_errors(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    found = [finding for seed in range(700) if (finding := campaign.one(seed))]
    campaign.close()
    assert not found, "\n".join(map(str, found))


def test_a_picture_that_its_strips_do_not_cover_is_damaged(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus["a.tif"])
    height = data.index(b"\x01\x01\x04\0\x01\0\0\0") + 8  # the entry of ImageLength
    data[height : height + 4] = (2000).to_bytes(4, "little")
    (tmp_path / "tall.tif").write_bytes(data)
    ended = campaign._run("p = imread('tall.tif');")[0]
    campaign.close()
    assert ended == "MATLAB:imread:invalidFile"


@pytest.mark.parametrize("name", ["a.mat", "b.mat"])
def test_a_cut_mat_file_is_no_part_of_one(tmp_path: Path, name: str) -> None:
    campaign = Campaign(tmp_path)
    data = campaign.corpus[name]
    whole = campaign._run(f"s = load('{name}'); n = numel(fieldnames(s));")
    assert whole == ("ok", "")
    silent = 0
    for cut in range(1, len(data), 3):
        (tmp_path / "cut.mat").write_bytes(data[:cut])
        silent += campaign._run("s = load('cut.mat');")[0] == "ok"
    campaign.close()
    assert silent <= 10, "only a cut between two variables cannot be seen"


@pytest.mark.parametrize(
    ("mark", "at", "value"),
    [
        (b"\x19\0\0\0\x10\0\0\0\x13", 1, 0x2E),  # a type of variable length that is none
        (b"GCOL", 16 + 8 + 1, 9),  # an entry of the heap that ends between two others
        (b"GCOL", 16 + 8 + 7, 9),  # and one beyond every end
    ],
)
def test_what_the_library_of_hdf5_crashes_or_hangs_on_is_damaged(
    tmp_path: Path, mark: bytes, at: int, value: int
) -> None:
    campaign = Campaign(tmp_path)
    campaign._run("clear; s = struct('long_name', 1, 'b', {{'c', 2}}); save('s.mat', '-v7.3');")
    data = bytearray((tmp_path / "s.mat").read_bytes())
    data[data.index(mark) + at] = value
    (tmp_path / "bad.mat").write_bytes(data)
    ended = [campaign._run(f"t = {way};")[0] for way in ("load('bad.mat')", "h5info('bad.mat')")]
    campaign.close()
    ours = ("invalidFile", "libraryError")
    assert all(identifier.endswith(ours) for identifier in ended), ended
