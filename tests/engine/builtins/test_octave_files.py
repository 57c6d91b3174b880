"""Files of Octave's ``save``: written by Octave 7.3 and read here, and written here."""

from __future__ import annotations

import base64
import gzip
import random
import struct
import zlib
from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

VALUES = """
a = pi; m = magic(4); z = 3+4i; zm = [1+2i 3; 4 5i]; s = 'hello'; d = sprintf('dq\\n'); b = true;
cs = ['ab'; 'cd']; bm = [true false; false true]; i8 = int8([1 -2 3]); u = uint16(7);
f = single(2.5); fm = single([1 2; 3 4]); c = {1, 'x'; [1 2 3], {}}; st.a = 1; st.b = 'q';
st.c = {1, 2}; sa = struct('k', {1, 2, 3}); sp = sparse([1 0; 0 5]); r = 1:5; r2 = 0:0.1:1;
e = []; e2 = zeros(0, 3); nd = reshape(1:24, 2, 3, 4); sb = sparse([true false]);
sz = sparse([1i 0]); es = ''; fl = 1:0; nn = [NaN Inf -Inf 1]; big = [1 2 3]*1e5;
neg = [-1 -300 5]; ce = cell(2, 0); sce = struct(); un = 'äö';
"""
NAMES = (
    "a m z zm s d cs b bm i8 u f fm c st sa sp r r2 e e2 nd sb sz es fl nn big neg ce sce un"
).split()
BINARY = (
    "c-pm9O>fgc5Vd1yQa-CHNImorDpaA0R3t#j0TEZ?h|~-BYVB-{i@#z!DB?o?2Auf~NSvtDKa^u7M8l4EHfyi#&;w"
    "Yq-`ev$p0_ieIk8jnk#>9Cx0<eL8qwfbZm>&Y6OY8ro$i}=zaDOyVD+WdCu!`?u9nN?4R!}-Gc#&WO^$8EJ;W_U4"
    "RIfF7x4*V3-J-+4&ou=0b&R7G2&tf5q{zk-eVU#^dpbXI;f-QeambB+b`3lFkm#Ku*I+_U?oT^x>k>Nwsi^r(k3h"
    "?rwRK;;J`<~c9Wg&spo}oGs<P4z%sx%xdjo~b>2kC#I{E8j>UP99xDtz9c&hgzKstn6th<|symQWH%JFLs)$IxGG"
    "IC7#JjL$%-+#z+rc{K);qBDLXx6!1F{I;8T%@s91|nYSq4m#XJDS~sx9@|Yy<Or$muJ1*rguzX^_4ymA1(1I%-*Q"
    "O*yp8IyaR$hjUi<MqZC7qefN`a+|q^4)Z#-Qv*GcT8+7CsEub*v!(jK-O>V8%L*VNg{o(Y3N?o3hw9Lb{}$S{sV%"
    "M|%B3eFaY8HVxPi`fWv!GI?;5fEFGk_i^5|(y0*98k;vO8v{k1QNV=?^t1&$wCY0#>Q7t|)WrTsdJAt=E}rTj+WM"
    "sY@z|D9q>Z7aQhSLykC%8b}oX2F3nQ^f2Lv#E#JM|_6(9PtI>5#me40Z%jjN82*ZN*~o_A6?~lwa#4NoO&Q#l;_V"
    "nFQsGxapZ8X_hIc4Ck%*)%BXH$62WmKbwxDxrzuI@Fvxk(b!E0Sa!BijQl32a>RRin(1M_jlB=N0&ltGCr4RyfTC"
    "Vf=4t{pYvwGG#2AH30AA>QV&UL!~&kWAvb5XI`T&C6YNc<&<Ae0)o*q>>zrbmO@i*Fa-{{V~!;Cc"
)
TEXT = (
    "c-pm9OK#gR5Z&_>17wo`wxJ;{{}2QPvg#&Xv|R_3L_0zy%F!oHe4d`67s$mrQfz4?#g$T^NgR>Zdym8UUchZ?bZ!"
    "FhUf_$L>n8)tnVLBh_^NZbOP)ZkK;lNp4N8!XT)_8lw{V>%N&e|6z7ZE-b!;}EX_de1X_fgp(y350oTIyz3s<?T^"
    ">VFHh#DQ&=ve1z_)Ob0`I&8CPAfl&ir7{gzy(N9fJ%T1h=2~P1gv2R3qUDg4oH9Wiisa;aX*Rok$FCubg3ruD-Mi"
    "%$c{OZn?uK4;zV8n={Q%knbQL<or%juv&IpR_Zg|#9eraW6C0b83eqkzc9%bFz!eWBiW0^S8us6*N(7IB5&fZaB_"
    "m6rz1G$bn3Pv5c}Wrp?piNyy&G~Df+N6b1t(n93Zczcje-rr_{5@Uqkt)`6{8k4vmh#E#xbl*hS}DbZIn<3A0cw)"
    "a!}ks4PK+Pgwm0@yU84i;5p_AeO-d4$5`BSD}}q~46<V&@?%tGVCAX70|zq_#q+RC>&gzd#Swy=k>#DcmRVi+c_-"
    "ZMygu7e@ZB68bEn7Q$l<?6ZX{F+(eaJurQUanYTe+(`Z2<K^`ERC2UWd`?i<Knr<q|jZx3(Iez$tCN)4Jiz>7Dn)"
    "q<q(B6FW=yEF8qr!zBwD2&5=LcPULEBi>LJsnc{K>??1V>5KxKU~tBtJ7X>)C@U_!n>ah`jlh7PzR7ze=56X)ile"
    "sD_|jDDXM`<uc#Fxy)UO`IZm;JyXAzX5227?NH|G2S?Ul@mdd>CWnMRy?J-aV6wejaTR@rGp{v##!^46!f057MVA"
    "sSq)Vsv$-k4HtA7k~~C^Y%HH)&ktIu8@uXk_8RylEt9NC{H56f#BdV40z5%#&dojq39bFDh$CaVW-j`VKzZElkUQ"
    "tri;YM$eZj<ta6)hpHaj7&BUFiZCU9tD=1~Vwm#tGR7D?S2(}0ADA9<@%roaH?jW!$88lW"
)
"""Those values, ``dg = eye(3)`` and ``p = eye(3)(:, [2 1 3])``, saved by Octave, packed."""


def saved_by_octave(packed: str) -> bytes:
    """The bytes of a file."""
    return zlib.decompress(base64.b85decode(packed))


@pytest.fixture
def session() -> Session:
    made = Session()
    made.run(VALUES)
    return made


def different(session: Session, names: list[str]) -> list[str]:
    """Variables that are not the same in the struct S."""
    text = "isequaln(S.{0}, {0}) && strcmp(class(S.{0}), class({0})) && issparse(S.{0}) == issparse({0})"
    return [n for n in names if not session.holds(text.format(n))]


@pytest.mark.parametrize("packed", [BINARY, TEXT], ids=["binary", "text"])
@pytest.mark.parametrize("compressed", [False, True])
def test_files_of_octave_are_read(
    session: Session, tmp_path: Path, packed: str, compressed: bool
) -> None:
    data = saved_by_octave(packed)
    file = tmp_path / "data.mat"
    file.write_bytes(gzip.compress(data) if compressed else data)
    session.run(f"S = load('{file}');")
    assert different(session, NAMES) == []
    assert session.holds("isequal(S.dg, eye(3)) && isequal(S.p, [0 1 0; 1 0 0; 0 0 1])")
    session.run(f"clear; load('{file}', 'c*', 'm');")
    assert session.holds("isequal(who, {'c'; 'ce'; 'cs'; 'm'})")


def test_text_is_written_and_joined(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "data.txt"
    session.run("c3 = repmat('x', [2 2 2]); ugly = ['äö'; 'bc']; h = @(x) x + 1;")
    session.run(f"save('-text', '{file}'); q = 5; save('-append', '{file}', 'q');")
    session.run(f"S = load('{file}');")
    assert different(session, [*NAMES, "c3", "ugly", "q"]) == []
    assert session.holds("S.h(2) == 3")
    assert file.read_text(encoding="utf-8").startswith("# Created by")


def test_handles_are_read(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "h.txt"
    file.write_text(
        "# Created by Octave 7.3.0\n# name: f\n# type: function handle\n@<anonymous>\n"
        "@(x) x .^ 2\n\n\n# name: g\n# type: function handle\nsin\n\n\n"
        "# name: r\n# type: function handle\n# octaveroot: /usr\n# subtype: simple\ncos\n\n\n"
        "# name: t\n# type: function handle\n@<anonymous>\n@(x) x + k\n# length: 1\n# name: k\n"
        "# type: scalar\n3\n\n\n\n\n# name: b\n# type: function handle\n@<anonymous>\n# length: 1\n"
        "# name: k\n# type: scalar\n4\n\n\n@(x) x - k\n\n\n# name: last\n# type: scalar\n1\n"
    )
    session.run(f"S = load('{file}');")
    assert session.holds("S.f(3) == 9 && S.g(0) == 0 && S.r(0) == 1 && S.t(4) == 7 && S.b(9) == 5")
    assert session.holds("numel(fieldnames(S)) == 6 && S.last == 1")


def test_handles_of_binary_files_are_read(session: Session, tmp_path: Path) -> None:
    def variable(name: bytes, kind: bytes, content: bytes) -> bytes:
        return sized(name) + sized(b"") + b"\0\xff" + sized(kind) + content

    def sized(data: bytes) -> bytes:
        return struct.pack("<i", len(data)) + data

    k = variable(b"k", b"scalar", b"\x07" + struct.pack("<d", 3.0))
    file = tmp_path / "h"
    file.write_bytes(
        b"Octave-1-L\0"
        + variable(b"g", b"function handle", sized(b"sin@<simple>\n/usr\n"))
        + variable(b"t", b"function handle", sized(b"@<anonymous> 1\n") + sized(b"@(x) x + k") + k)
        + variable(b"f", b"function handle", sized(b"@<anonymous>") + sized(b"@(x) x .^ 2"))
    )
    session.run(f"S = load('{file}');")
    assert session.holds("S.g(0) == 0 && S.t(4) == 7 && S.f(3) == 9 && numel(fieldnames(S)) == 3")


@pytest.mark.parametrize(
    ("content", "identifier"),
    [
        ("range\n# base, limit, increment\n0 1e15 1e-3\n", "MATLAB:nomem"),
        ("permutation matrix\n# size: 400000\n# orient: c\n" + "1\n" * 400000, "MATLAB:nomem"),
        ("function handle\n<x> y\n", "MATLAB:load:badFunctionHandle"),
        (
            "function handle\n# octaveroot: /\n# subtype: nested\nf\n",
            "MATLAB:load:unableToReadOctaveFile",
        ),
    ],
)
def test_what_cannot_be_held_or_made_is_told(
    session: Session, tmp_path: Path, content: str, identifier: str
) -> None:
    file = tmp_path / "h.txt"
    file.write_text(f"# Created by Octave 7.3.0\n# name: a\n# type: {content}")
    with pytest.raises(MatlabError) as told:
        session.run(f"S = load('{file}');")
    assert told.value.identifier == identifier


@pytest.mark.parametrize("packed", [BINARY, TEXT], ids=["binary", "text"])
def test_damage_is_an_error_of_the_file(tmp_path: Path, packed: str) -> None:
    session, data, drawn = Session(), saved_by_octave(packed), random.Random(7)
    told: list[str] = []
    for k in range(40):
        harmed = bytearray(data)
        for _ in range(1 + k % 3):
            harmed[drawn.randrange(30, len(data))] = drawn.randrange(256)
        cut = drawn.randrange(40, len(data)) if k % 2 else len(data)
        (tmp_path / "data").write_bytes(bytes(harmed[:cut]))
        try:
            session.run(f"S = load('{tmp_path / 'data'}');")
        except MatlabError as problem:
            told.append(problem.identifier)
    assert {identifier.partition(":")[0] for identifier in told} == {"MATLAB"}
