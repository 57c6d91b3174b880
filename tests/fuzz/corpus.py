"""One file of every kind that the program reads, and the ways in which each kind is read.

`written_corpus` has the program write what it can write, and adds what only others write.
"""

from __future__ import annotations

import gzip
import struct
import wave
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.fuzz import documents

WRITERS = r"""
x = reshape(1:24, 4, 6); y = {1, 'two', [3 4]}; s = struct('a', 1, 'b', {{'c', 2}}); t = "text";
z = int8([1 -2]); w = single(pi); v = true; u = 1:0; q = complex(1, 2);
save('a.mat'); save('b.mat', '-v6'); save('c.mat', '-v7.3'); save('d.txt', 'x', '-ascii');
p = uint8(randi(255, 20, 30, 3));
imwrite(p, 'a.png'); imwrite(p, 'a.jpg'); imwrite(p, 'a.bmp'); imwrite(p, 'a.tif');
imwrite(p(:, :, 1), 'a.gif');
audiowrite('a.wav', sin((1:400)') / 2, 8000);
T = table([1; 2], ["a"; "b"]); writetable(T, 'a.csv'); writetable(T, 'a.xlsx');
writematrix(x, 'b.csv'); writecell(y(1:2), 'c.csv'); writelines(["{""a"": [1, 2]}"], 'a.json');
writestruct(s, 'a.xml'); writelines(["a 1"; "b 2"], 'a.txt');
gzip('a.txt'); zip('a.zip', {'a.txt', 'a.csv'}); tar('a.tar', {'a.txt'});
h5create('a.h5', '/x', [4 6]); h5write('a.h5', '/x', x);
nccreate('a.nc', 'x', 'Dimensions', {'r', 4}); ncwrite('a.nc', 'x', 1:4);
clear; a = sparse([1 0; 0 2]); b = table([1; 2], ["a"; "b"]); c = datetime(2020, 1, 1:2); d = @sin;
e = int64([1 2; 3 4]); f = sparse([true false]); g = struct('a', {1, 2}); h = ["a" "b"]; k = hours(1:2);
l = categorical({'a', 'b'}); m = {}; n = struct([]); o = single(1 + 2i); q = containers.Map('a', 1);
save('e.mat', '-v7'); save('f.mat', '-v7.3'); save('g.mat', '-v6');
clear; x = magic(4); t = ['ab'; 'cd']; z = 1 + 2i; p = sparse(x); n = -3; save('h.mat', '-v4');
r = dictionary("a", 1); v = timetable(seconds([1; 2]), [3; 4]); w = @(x) x + n; u = calmonths(1:3);
save('i.mat', 'r', 'v', 'w', 'u', '-v7.3'); save('j.mat', 'r', 'v', 'w', 'u');
p = uint8(randi(255, 20, 30, 3));
imwrite(uint16(magic(8)) * 100, 'b.png'); imwrite(p, 'c.png', 'Alpha', p(:, :, 1));
imwrite(p(:, :, 1), hot(256), 'd.png'); imwrite(p(:, :, 1) > 100, 'e.png');
imwrite(p(:, :, 1), hot(256), 'b.gif', 'DelayTime', 0.1); imwrite(p(:, :, 2), hot(256), 'b.gif', 'WriteMode', 'append');
imwrite(p(:, :, 1), hot(256), 'b.bmp'); imwrite(p, 'a.ppm'); imwrite(p(:, :, 1), 'a.pgm');
imwrite(p(:, :, 1) > 100, 'a.pbm'); imwrite(p, 'a.webp');
audiowrite('b.wav', [sin((1:400)') cos((1:400)')] / 2, 44100, 'BitsPerSample', 32);
audiowrite('c.wav', sin((1:99)') / 2, 8000, 'BitsPerSample', 8);
audiowrite('d.wav', sin((1:99)') / 2, 8000, 'BitsPerSample', 64);
v = VideoWriter('a.avi'); open(v); for k = 1:3, writeVideo(v, p); end, close(v)
v = VideoWriter('b.avi', 'Uncompressed AVI'); open(v); writeVideo(v, p); close(v)
z = plot(1:3); title('t'); legend('a'); savefig(gcf, 'a.fig'); close all
T = table([1; 2], datetime(2020, 1, [1; 2]), [true; false], {'x'; 'y,"z"'});
writetable(T, 'b.xlsx'); writetable(T, 'b.xlsx', 'Sheet', 'two', 'Range', 'C3'); writetable(T, 'd.csv');
writetimetable(timetable(datetime(2020, 1, [1; 2]), [1; 2]), 'e.csv');
writelines(["a;b"; "1,5;2"; ""; "3;x"], 'b.txt'); writelines(["% h"; "1 2"; "3 4"], 'c.txt');
writestruct(struct('a', struct('b', {{1, 'x'}})), 'b.xml'); writestruct(struct('a', [1 2]), 'b.json');
h5create('b.h5', '/g/x', [4 6]); h5write('b.h5', '/g/x', reshape(1:24, 4, 6));
h5create('b.h5', '/y', 3, 'Datatype', 'int8'); h5writeatt('b.h5', '/g', 'u', 'text'); h5writeatt('b.h5', '/y', 'v', 1:3);
nccreate('b.nc', 'c', 'Dimensions', {'s', 3, 't', Inf}, 'Datatype', 'char'); ncwrite('b.nc', 'c', ['abc'; 'def'; 'ghi']);
ncwriteatt('b.nc', '/', 'title', 'text'); nccreate('b.nc', 'i', 'Dimensions', {'t'}, 'Datatype', 'int16');
gzip('a.csv'); f = fopen('a.bin', 'w'); fwrite(f, 1:100, 'double'); fclose(f); tar('b.tgz', {'a.txt', 'a.csv'});
clear w; q = {1, 'x', {2; int8(3)}}; w.a = [1.5 2i]; w.b = struct('c', {1, 'd'}); o = sparse([1 0; 0 2]); l = true;
save('-text', 'b.octave', 'q', 'w', 'o', 'l');
dicomwrite(uint16(magic(8)) * 100, 'a.dcm'); dicomwrite(p, 'b.dcm', struct('PatientName', 'A^B'));
t = triangulation([1 2 3; 1 3 4; 1 4 2; 2 4 3], [0 0 0; 1 0 0; 0 1 0; 0 0 1]);
stlwrite(t, 'a.stl'); stlwrite(t, 'b.stl', 'text');
s = struct('Geometry', 'Line', 'X', {[1 2 NaN], [3 4 5 NaN]}, 'Y', {[1 2 NaN], [3 4 5 NaN]});
[s.Name] = deal('a', 'b'); [s.Size] = deal(1.5, 2); shapewrite(s, 'a');
"""
READERS: dict[str, tuple[str, ...]] = {
    ".mat": (
        *("s = load(f);", "w = who('-file', f);", "w = whos('-file', f);"),
        *("s = load(f, '-regexp', '.'); struct2cell(s)", "load(f); whos; disp(who)"),
        "m = matfile(f); x = m.x(2, 1);",
    ),
    ".png": (
        *("p = imread(f);", "i = imfinfo(f);", "[p, m] = imread(f);", "[p, m, a] = imread(f);"),
        "image(imread(f)); drawnow; close all",
    ),
    ".jpg": ("p = imread(f);", "i = imfinfo(f);"),
    ".bmp": ("p = imread(f);",),
    ".tif": (
        *("p = imread(f);", "p = imread(f, 2);", "i = imfinfo(f);"),
        "for k = 1:2, p = imread(f, 'Index', k); end",
    ),
    ".gif": (
        *("p = imread(f);", "[p, m] = imread(f, 1);", "[p, m] = imread(f, 'Frames', 'all');"),
        "i = imfinfo(f);",
    ),
    ".ppm": ("p = imread(f);", "i = imfinfo(f);"),
    ".pgm": ("p = imread(f);",),
    ".pbm": ("p = imread(f);",),
    ".webp": ("p = imread(f);", "i = imfinfo(f);"),
    ".ico": ("p = imread(f);", "i = imfinfo(f);"),
    ".pcx": ("p = imread(f);",),
    ".jp2": ("p = imread(f);", "i = imfinfo(f);"),
    ".ras": ("p = imread(f);",),
    ".wav": (
        *("[y, r] = audioread(f);", "i = audioinfo(f);", "y = audioread(f, [1 10]);"),
        *("[y, r] = audioread(f, 'native');", "[y, r] = audioread(f, [300 400], 'double');"),
    ),
    ".csv": (
        *("t = readtable(f);", "m = readmatrix(f);", "c = readcell(f);", "m = csvread(f);"),
        *("o = detectImportOptions(f); t = readtable(f, o);", "t = readtimetable(f);"),
        *("c = textscan(fopen(f), '%s %f', 'Delimiter', ','); fclose all;", "m = dlmread(f);"),
        "d = tabularTextDatastore(f); t = read(d); p = preview(d);",
        "t = readtable(f, 'Range', 'B2:C9', 'TextType', 'string'); [a, b] = readvars(f);",
        "x = csvread(f, 1, 1); c = importdata(f, ',', 1);",
    ),
    ".xlsx": (
        *("t = readtable(f);", "c = readcell(f);", "n = xlsread(f);", "s = sheetnames(f);"),
        *("t = readtable(f, 'Sheet', 2);", "o = detectImportOptions(f); t = readtable(f, o);"),
        "m = readmatrix(f, 'Range', 'A1:D4'); [n, t, r] = xlsread(f, 1);",
        *("writetable(table(1), f, 'Sheet', 'more');", "xlswrite(f, 1:3, 2);"),
    ),
    ".json": (
        *("j = jsondecode(fileread(f));", "s = readstruct(f);"),
        "j = jsondecode(fileread(f)); jsonencode(j)",
    ),
    ".xml": (
        *("s = readstruct(f);", "d = xmlread(f);"),
        "d = xmlread(f); r = d.getDocumentElement; xmlwrite(d)",
    ),
    ".txt": (
        *("c = importdata(f);", "t = readtable(f);", "s = load(f);", "l = readlines(f);"),
        *("[a, b] = textread(f, '%s %f');", "x = dlmread(f, ' ');", "s = readcell(f);"),
        "h = fopen(f); while true, l = fgetl(h); if ~ischar(l), break, end, end, fclose(h);",
        "h = fopen(f, 'r', 'n', 'UTF-16LE'); l = fgets(h); x = fscanf(h, '%f'); fclose(h);",
    ),
    ".gz": ("n = gunzip(f, u);",),
    ".zip": ("n = unzip(f, u);",),
    ".tar": ("n = untar(f, u);",),
    ".tgz": ("n = untar(f, u);", "n = gunzip(f, u);"),
    ".h5": (
        *("x = h5read(f, '/x');", "i = h5info(f);", "x = h5readatt(f, '/g', 'u');"),
        *("x = h5read(f, '/g/x', [1 1], [2 2], [2 2]);", "h5write(f, '/x', zeros(4, 6));"),
        "h = H5F.open(f); d = H5D.open(h, '/x'); x = H5D.read(d); H5D.close(d); H5F.close(h);",
        "h = H5F.open(f); n = H5G.get_num_objs(H5G.open(h, '/')); i = H5O.get_info(h);",
        "h5create(f, '/new', 3); h5writeatt(f, '/', 'a', 1);",
    ),
    ".nc": (
        *("x = ncread(f, 'x');", "i = ncinfo(f);", "c = ncread(f, 'c'); i = ncread(f, 'i');"),
        *("ncdisp(f)", "a = ncreadatt(f, '/', 'title');", "ncwrite(f, 'x', 4:-1:1);"),
        *("ncwriteatt(f, '/', 'b', 2);", "nccreate(f, 'more');"),
    ),
    ".avi": (
        "v = VideoReader(f); while hasFrame(v), p = readFrame(v); end",
        "v = VideoReader(f); p = read(v, 2); v.NumFrames",
    ),
    ".fig": ("openfig(f); drawnow", "h = hgload(f);", "s = load(f, '-mat');"),
    ".bin": (
        "m = memmapfile(f, 'Format', {'double', [10 10], 'x'}); y = m.Data.x;",
        "h = fopen(f); x = fread(h, [10 Inf], 'int32=>single', 3); y = fscanf(h, '%d'); fclose(h);",
        "h = fopen(f); x = textscan(h, '%f %s'); fclose(h);",
        "m = memmapfile(f, 'Format', {'uint8', 3, 'a'; 'int16', [2 2], 'b'}); m.Data(2).b",
        "x = readmatrix(f, 'FileType', 'text'); typecast(unicode2native(fileread(f)), 'uint8');",
    ),
    ".dcm": ("p = dicomread(f);", "i = dicominfo(f);", "i = dicominfo(f); p = dicomread(i);"),
    ".shp": (
        "copyfile(strrep(f, 'damaged.shp', 'a.dbf'), strrep(f, '.shp', '.dbf')); s = shaperead(f);",
        "copyfile(strrep(f, 'damaged.shp', 'a.dbf'), strrep(f, '.shp', '.dbf')); i = shapeinfo(f);",
    ),
    ".dbf": (
        "copyfile(strrep(f, 'damaged.dbf', 'a.shp'), strrep(f, '.dbf', '.shp')); s = shaperead(f);",
        "copyfile(strrep(f, 'damaged.dbf', 'a.shp'), strrep(f, '.dbf', '.shp')); i = shapeinfo(f);",
    ),
    ".shx": ("i = shapeinfo(f);",),
    ".stl": ("t = stlread(f);", "[t, format, more] = stlread(f); trisurf(t); drawnow; close all"),
    ".parquet": (
        *("t = parquetread(f);", "i = parquetinfo(f); disp(i)", "t = parquetread(f, RowGroups=1);"),
        "d = parquetDatastore(f, 'ReadSize', 3); while hasdata(d), t = read(d); end",
        "d = parquetDatastore(f); x = gather(height(tall(d))); t = readall(d);",
        "rf = rowfilter(parquetinfo(f)); t = parquetread(f, 'RowFilter', rf.Var1 > 1);",
    ),
    ".octave": ("s = load(f);", "load(f); whos"),
    ".mlx": ("run(f)", "checkcode(f)", "x = evalc('type(f)');"),
    ".ipynb": ("run(f)", "checkcode(f)"),
    ".m": ("checkcode(f)", "type(f)", "publish(f, 'outputDir', u, 'evalCode', false);", "help(f)"),
}
"""How files of a kind are read, and added to; ``u`` is a folder to unpack to."""
_CUT = "h = fopen(f, 'w'); fwrite(h, 1:9); fclose(h);"
"""The file becomes short while something has it open."""
ADDED: dict[str, tuple[str, ...]] = {
    ".mat": (
        *("x = 1; save(f, 'x', '-append');", "m = matfile(f, 'Writable', true); m.x = {5};"),
        *("h5writeatt(f, '/', 'a', 1);", "h5create(f, '/new', 3); h5write(f, '/x', 1);"),
        f"m = matfile(f); x = m.x; {_CUT} x = m.x;",
    ),
    ".h5": (
        *(
            "h5write(f, '/x', 1:100);",
            "h5writeatt(f, '/x', 'u', 1:500);",
            "h5write(f, '/x', 5, 3, 1);",
        ),
        "h5create(f, '/g/n', [Inf 3], 'ChunkSize', [2 3]); h5write(f, '/g/n', ones(5, 3), [1 1], [5 3]);",
        "h5create(f, '/s', 3, 'Datatype', 'string'); h5write(f, '/s', [\"a\" \"b\" \"c\"]);",
        "h = H5F.open(f, 'H5F_ACC_RDWR', 'H5P_DEFAULT'); H5L.delete(h, 'x', 'H5P_DEFAULT'); H5F.close(h);",
        "h = H5F.open(f, 'H5F_ACC_RDWR', 'H5P_DEFAULT'); d = H5D.open(h, '/x'); x = H5D.read(d); "
        "H5D.write(d, 'H5ML_DEFAULT', 'H5S_ALL', 'H5S_ALL', 'H5P_DEFAULT', x); H5D.close(d); H5F.close(h);",
        f"h = H5F.open(f); d = H5D.open(h, '/x'); {_CUT} x = H5D.read(d);",
    ),
    ".nc": (
        "nccreate(f, 'y', 'Dimensions', {'r', 4}); ncwrite(f, 'y', 1:4);",
        "nccreate(f, 'w', 'Dimensions', {'t', Inf}); ncwrite(f, 'w', 1:5);",
        *(
            "ncwriteatt(f, 'x', 'units', 'metre');",
            "ncwrite(f, 'x', 5, 3);",
            "ncwrite(f, 'r', 4:-1:1);",
        ),
        "n = netcdf.open(f, 'WRITE'); netcdf.reDef(n); "
        "netcdf.defVarDeflate(n, netcdf.inqVarID(n, 'x'), true, true, 5); netcdf.close(n);",
        "n = netcdf.open(f, 'WRITE'); netcdf.putVar(n, netcdf.inqVarID(n, 'x'), [4 3 2 1]); netcdf.close(n);",
        f"n = netcdf.open(f, 'WRITE'); {_CUT} netcdf.putAtt(n, netcdf.inqVarID(n, 'x'), 'a', 1); netcdf.close(n);",
    ),
    ".xlsx": (
        *("writematrix(1:3, f, 'Range', 'C2');", "writecell({1, 'a'}, f, 'WriteMode', 'append');"),
        "writetable(table(1, \"a\"), f, 'Sheet', 1, 'WriteMode', 'overwritesheet');",
    ),
    ".csv": (
        *(
            "writetable(table(1), f, 'WriteMode', 'append');",
            "writematrix(1:3, f, 'WriteMode', 'append');",
        ),
        f"d = tabularTextDatastore(f); t = preview(d); {_CUT} t = readall(d);",
        f"h = fopen(f); l = fgetl(h); {_CUT} l = fgetl(h); x = textscan(h, '%s'); fclose('all');",
    ),
    ".txt": (
        *(
            "writelines(\"x\", f, 'WriteMode', 'append');",
            "x = 1:3; save(f, 'x', '-ascii', '-append');",
        ),
        "h = fopen(f, 'a+'); fprintf(h, '%d ', 1:3); frewind(h); x = fscanf(h, '%f'); fclose(h);",
    ),
    ".tif": (
        *(
            "imwrite(uint8(magic(4)), f, 'WriteMode', 'append');",
            f"i = imfinfo(f); {_CUT} p = imread(f);",
        ),
    ),
    ".gif": ("imwrite(uint8(magic(4)), gray(256), f, 'WriteMode', 'append');",),
    ".wav": (f"i = audioinfo(f); {_CUT} y = audioread(f, [1 5]);",),
    ".avi": (
        f"v = VideoReader(f); {_CUT} p = readFrame(v);",
        f"v = VideoReader(f); p = read(v, 1); {_CUT} p = read(v, 2);",
    ),
    ".fig": (
        "h = openfig(f); savefig(h, f); close all",
        "h = openfig(f); h(1).Children; close all",
    ),
    ".dcm": ("i = dicominfo(f); dicomwrite(dicomread(f), f, i);",),
    ".bin": (
        "m = memmapfile(f, 'Format', 'double', 'Writable', true); m.Data(2:3) = 7; x = m.Data;",
        f"m = memmapfile(f, 'Format', 'double'); d = m.Data; {_CUT} s = sum(d); x = m.Data(end);",
        f"h = fopen(f, 'r+'); fseek(h, 16, 'bof'); fwrite(h, 1:3, 'double'); {_CUT} x = fread(h); fclose('all');",
    ),
    ".octave": ("x = 1; save('-text', '-append', f, 'x');",),
    ".parquet": (f"d = parquetDatastore(f, 'ReadSize', 1); t = read(d); {_CUT} t = readall(d);",),
    ".json": ("s = readstruct(f); writestruct(s, f); s = readstruct(f);",),
    ".xml": ("s = readstruct(f); writestruct(s, f); s = readstruct(f);",),
}
"""How files of a kind are changed, or become short while they are open."""
ANYHOW = (
    *("x = fileread(f);", "d = importdata(f);", "x = evalc('type(f)');", "s = load(f);"),
    *("s = load(f, '-mat');", "s = load(f, '-ascii');", "l = readlines(f);", "i = imfinfo(f);"),
    *(
        "p = imread(f);",
        "i = h5info(f);",
        "i = ncinfo(f);",
        "v = VideoReader(f);",
        "h = hash('md5', f);",
    ),
    *(
        "y = audioread(f);",
        "m = matfile(f); x = m.x;",
        "openfig(f);",
        "x = 1; save(f, 'x', '-append');",
    ),
    "c = readcell(f, 'FileType', 'text');",
    "t = readtable(f, 'FileType', 'spreadsheet');",
    *("s = readstruct(f, 'FileType', 'json');", "s = readstruct(f, 'FileType', 'xml');"),
    *("n = unzip(f, u);", "n = untar(f, u);", "n = gunzip(f, u);", "d = xmlread(f);"),
    *("m = memmapfile(f); x = m.Data(1);", "x = jsondecode(fileread(f));", "checkcode(f)"),
    "h = fopen(f, 'r+'); x = fread(h, 3, 'bit5'); y = fgets(h); fseek(h, -2, 'eof'); fclose(h);",
)
"""How a file of any kind may be read by whoever takes it for another one."""
WHOLE: dict[str, str] = {
    **dict.fromkeys((".mat",), "load(f)"),
    **dict.fromkeys((".png", ".jpg", ".bmp", ".tif", ".gif", ".webp"), "imread(f)"),
    **dict.fromkeys((".ppm", ".pgm", ".pbm", ".ico", ".pcx", ".jp2", ".ras"), "imread(f)"),
    ".wav": "audioread(f)",
    ".xlsx": "readcell(f)",
    ".h5": "h5read(f, '/x')",
    ".nc": "ncread(f, 'x')",
    ".avi": "read(VideoReader(f))",
    ".dcm": "dicomread(f)",
    ".parquet": "parquetread(f)",
    ".json": "readstruct(f)",
    ".xml": "readstruct(f)",
}
"""Expressions of what formats hold that say how long they are: all of it or an error."""


def written_corpus(folder: Path, run: Callable[[str], tuple[str, str]]) -> dict[str, bytes]:
    """The content of all files, by name, which are made in a folder that is empty.

    Args:
        folder: the folder.
        run: runs code; its status and what it said.
    """
    status, said = run(f"cd('{folder}');\n{WRITERS}")
    if status != "ok":
        raise RuntimeError(f"the corpus could not be written: {said}")
    _write_pictures(folder)
    _write_hdf(folder)
    _write_sounds(folder)
    _write_documents(folder)
    _write_data(folder)
    _write_parquet(folder)
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}


def _write_pictures(folder: Path) -> None:
    """Pages, bits, other compressions, other formats."""
    from PIL import Image

    page = Image.effect_noise((30, 20), 40)
    colours = page.convert("RGB")
    page.save(folder / "b.tif", save_all=True, append_images=[page, page])
    page.convert("1").save(folder / "c.tif", compression="group4")
    page.save(folder / "d.tif", compression="tiff_lzw")
    colours.save(folder / "e.tif", compression="jpeg")
    colours.save(folder / "f.tif", compression="tiff_adobe_deflate")
    page.convert("1").save(folder / "c.bmp")
    page.convert("CMYK").save(folder / "b.jpg")
    colours.save(folder / "c.jpg", progressive=True)
    colours.save(folder / "b.webp", lossless=True)
    colours.save(folder / "a.ico", sizes=[(16, 16), (20, 20)])
    colours.save(folder / "a.pcx")
    colours.save(folder / "a.jp2")
    (folder / "a.ras").write_bytes(
        struct.pack(">8I", 0x59A66A95, 30, 20, 8, 600, 1, 0, 0) + page.tobytes()
    )


def _write_hdf(folder: Path) -> None:
    """Compressed data sets, texts, links, compound types; a file of netCDF 4."""
    import h5py
    import numpy as np

    with h5py.File(folder / "c.h5", "w") as file:
        file.create_dataset("x", data=range(100), chunks=(10,), compression="gzip", shuffle=True)
        file.create_dataset("g/x", data=[["a", "b"], ["c", "d"]], dtype=h5py.string_dtype())
        file["l"] = h5py.SoftLink("/g/x")
        file["e"] = h5py.ExternalLink("a.h5", "/x")
        file["g"].attrs["u"] = [1.5, 2.5]
    with h5py.File(folder / "d.h5", "w", libver="latest") as file:
        file["x"] = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
        file["g/x"] = np.array([[1, 0], [0, 1]], bool)
        file["v"] = np.array([np.arange(2), np.arange(3)], h5py.vlen_dtype("i4"))
        file["g"].attrs["u"] = h5py.Empty("f8")
    with h5py.File(folder / "c.nc", "w") as file:
        rows = file.create_dataset("r", data=np.arange(4.0))
        rows.make_scale("r")
        values = file.create_dataset("x", data=np.arange(4.0), fletcher32=True, chunks=(2,))
        values.dims[0].attach_scale(rows)
        values.attrs["_FillValue"] = 2.0
        file.attrs["title"] = "text"
    import scipy.io

    with scipy.io.netcdf_file(folder / "d.nc", "w", version=2) as classic:
        classic.createDimension("t", None)
        made = classic.createVariable("x", "f4", ("t",))
        made[:] = np.arange(3)
        made.scale_factor = 2.0


def _write_sounds(folder: Path) -> None:
    """24 bits, and a header of the extensible kind with chunks around."""
    with wave.open(str(folder / "e.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(3)
        sound.setframerate(8000)
        sound.writeframes(bytes(range(99)))
    pcm = bytes.fromhex("0100000000001000800000aa00389b71")
    form = struct.pack("<HHIIHHHHI", 0xFFFE, 1, 8000, 16000, 2, 16, 22, 16, 4) + pcm
    chunks = b"LIST\x04\0\0\0INFO" + b"fmt " + struct.pack("<I", len(form)) + form
    chunks += b"data" + struct.pack("<I", 100) + bytes(100)
    (folder / "f.wav").write_bytes(b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks)


def _write_documents(folder: Path) -> None:
    """Live scripts, notebooks and scripts."""
    documents.write_mlx(folder / "a.mlx")
    documents.write_notebook(folder / "a.ipynb")
    text = "%% Head\n% text with *bold* and $a^2$\nfunction y = a(x)\n% A  adds.\ny = x + 1;\nend\n"
    (folder / "a.m").write_text(text, encoding="utf-8")
    (folder / "b.m").write_text(documents.LIVE, encoding="utf-8")
    (folder / "c.m").write_bytes("x = 'é'; % ü\n".encode("latin-1"))


def _write_data(folder: Path) -> None:
    """Files of Octave, other encodings, and MAT-files of the other order of bytes."""
    (folder / "c.octave").write_bytes(gzip.compress((folder / "b.octave").read_bytes()))
    (folder / "d.octave").write_bytes(_octave_binary())
    (folder / "e.txt").write_text("a 1\nb 2\n", encoding="utf-16")
    (folder / "f.csv").write_bytes("größe;wert\nä;1,5\n".encode("latin-1"))
    name = b"x\0"
    old = struct.pack(">5i", 1000, 2, 2, 0, len(name)) + name + struct.pack(">4d", 1, 2, 3, 4)
    (folder / "k.mat").write_bytes(old)
    head = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI"
    body = struct.pack(">4I", 6, 8, 6, 0) + struct.pack(">2I2i", 5, 8, 2, 2)
    body += struct.pack(">HH4s", 1, 1, b"x\0\0\0") + struct.pack(">2I4d", 9, 32, 1, 2, 3, 4)
    packed = zlib.compress(struct.pack(">2I", 14, len(body)) + body)
    (folder / "l.mat").write_bytes(head + struct.pack(">2I", 15, len(packed)) + packed)


def _write_parquet(folder: Path) -> None:
    """Numbers, texts, times and lists in several row groups, encodings and compressions."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:  # an addition that need not be there
        return
    plain = {"Var1": [1, 2, None, 4], "Var2": ["a", None, "c", "a"], "Var3": [0.5, 1.5, 2.5, 3.5]}
    rich = {
        "Var1": pa.array([1.0, 2.0, 3.0, 4.0]),
        "Var2": pa.array([[1], [2, 3], None, []], pa.list_(pa.int32())),
        "Var3": pa.array([{"a": 1, "b": "x"}] * 4),
        "Var4": pa.array(["x", "y", None, "x"]).dictionary_encode(),
        "Var5": pa.array([0, 1, None, 3]).cast(pa.timestamp("us", "UTC")),
        "Var6": pa.array([True, False, None, True]),
    }
    for name, columns, options in (
        ("a", plain, {"row_group_size": 2}),
        ("b", plain, {"compression": "none", "use_dictionary": False, "write_statistics": False}),
        ("c", rich, {"compression": "gzip", "data_page_version": "2.0"}),
        ("d", rich, {"compression": "zstd", "row_group_size": 3, "store_schema": False}),
    ):
        pa.parquet.write_table(pa.table(columns), folder / f"{name}.parquet", **options)


def _octave_binary() -> bytes:
    def sized(text: bytes) -> bytes:
        return struct.pack("<i", len(text)) + text

    def variable(name: bytes, kind: bytes, content: bytes) -> bytes:
        return sized(name) + sized(b"") + b"\0\xff" + sized(kind) + content

    matrix = struct.pack("<3i", -2, 2, 2) + b"\x07" + struct.pack("<4d", 1, 2, 3, 4)
    return (
        b"Octave-1-L\0"
        + variable(b"x", b"matrix", matrix)
        + variable(b"k", b"scalar", b"\x07" + struct.pack("<d", 3.0))
        + variable(b"g", b"function handle", sized(b"sin@<simple>\n/usr\n"))
    )
