"""Windows made with GUIDE: a .fig file, a program, and callbacks that name its functions."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from app.engine.builtins.files.mat_writer import file_bytes
from app.engine.values import Struct
from tests.support.scripts import Script

CALL = "@(hObject,eventdata)adder('{}',hObject,eventdata,guidata(hObject))"
MAKE = f"""
f = figure('Visible', 'off', 'Tag', 'figure1');
uicontrol(f, 'Style', 'edit', 'Tag', 'number', 'CreateFcn', {CALL.format("number_CreateFcn")});
uicontrol(f, 'Tag', 'go', 'String', 'Go', 'Callback', {CALL.format("go_Callback")});
savefig(f, 'adder.fig'); close(f);
"""
PROGRAM = """
function varargout = adder(varargin)
gui_State = struct('gui_Name', mfilename, 'gui_Singleton', 1, ...
                   'gui_OpeningFcn', @adder_OpeningFcn, 'gui_OutputFcn', @adder_OutputFcn, ...
                   'gui_LayoutFcn', [], 'gui_Callback', []);
if nargin && ischar(varargin{1})
    gui_State.gui_Callback = str2func(varargin{1});
end
if nargout
    [varargout{1:nargout}] = gui_mainfcn(gui_State, varargin{:});
else
    gui_mainfcn(gui_State, varargin{:});
end

function adder_OpeningFcn(hObject, eventdata, handles, varargin)
handles.count = 0; handles.given = varargin; handles.output = hObject;
guidata(hObject, handles);

function varargout = adder_OutputFcn(hObject, eventdata, handles)
varargout{1} = handles.output;

function number_CreateFcn(hObject, eventdata, handles)
set(hObject, 'String', '40');

function go_Callback(hObject, eventdata, handles)
handles.count = handles.count + str2double(get(handles.number, 'String'));
guidata(hObject, handles);
"""


@pytest.fixture
def script(tmp_path: Path) -> Any:
    made = Script()
    (tmp_path / "adder.m").write_text(PROGRAM.strip())
    made.run(f"cd('{tmp_path}'); {MAKE}")
    yield made
    made.session.close()


def test_a_window_opens_with_its_handles_and_answers_its_buttons(script: Script) -> None:
    script.run("""h = adder('Name', 'sums'); s = guidata(h); press = get(s.go, 'Callback');
        press(s.go, []); press(s.go, []);
        assert(strcmp(get(h, 'Name'), 'sums') && strcmp(get(h, 'Visible'), 'on'));
        assert(isequal(s.given, {'Name', 'sums'}) && getfield(guidata(h), 'count') == 80);""")


def test_a_singleton_is_used_again_until_it_is_closed(script: Script) -> None:
    script.run("""h = adder; again = adder(7); assert(h == again);
        assert(isequal(getfield(guidata(h), 'given'), {7}));
        close(h); other = adder; assert(ishghandle(other) && ~ishghandle(h));""")


def test_what_the_opening_function_draws_goes_into_the_new_window(
    script: Script, tmp_path: Path
) -> None:
    """GUIDE's figures are found by callbacks only; another one lay open, and got the picture."""
    drawing = PROGRAM.replace(
        "guidata(hObject, handles);\n", "plot(1:3); guidata(hObject, handles);\n"
    )
    (tmp_path / "drawer.m").write_text(drawing.replace("adder", "drawer").strip())
    script.run("""f = openfig('adder.fig', 'invisible'); set(f, 'HandleVisibility', 'callback');
        savefig(f, 'drawer.fig'); close(f); other = figure; h = drawer;
        assert(isempty(findobj(other, 'Type', 'axes')));
        assert(isscalar(findall(h, 'Type', 'axes')));
        assert(strcmp(get(h, 'HandleVisibility'), 'callback'));""")


def matlab_handle(text: str, kind: str) -> bytes:
    """A MAT-file with the handle ``f`` as MATLAB writes it."""
    told = Struct({"function": text, "type": kind, "file": ""})
    held = Struct({"matlabroot": "/", "separator": "/", "sentinel": "@", "function_handle": told})
    whole = file_bytes({"": held}, compress=False)
    flags = struct.pack("<IIII", 6, 8, 16, 0)
    shape = struct.pack("<IIii", 5, 8, 1, 1)
    body = flags + shape + struct.pack("<HH4s", 1, 1, b"f") + whole[128:]
    return whole[:128] + struct.pack("<II", 14, len(body)) + body


def test_handles_that_matlab_saved_are_read(script: Script, tmp_path: Path) -> None:
    (tmp_path / "own.mat").write_bytes(matlab_handle("sf%0@(x)x.^2+1", "anonymous"))
    (tmp_path / "named.mat").write_bytes(matlab_handle("sin", "simple"))
    script.run("""load own.mat; assert(f(3) == 10 && strcmp(func2str(f), '@(x)x.^2+1'));
        s = load('named.mat'); assert(s.f(0) == 0 && strcmp(func2str(s.f), 'sin'));""")
