from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from app.engine.figures.objects import GraphicsArray, items_of
from app.engine.figures.pinned_buffers import PinnedBuffer
from app.engine.protocol import FigureClosed, FigureUpdated, PicturesClosed
from app.engine.values import Cell
from app.errors import MatlabError
from tests.engine.figures.conftest import Plotter


def test_properties_by_any_case_and_short(m: Plotter) -> None:
    h = m.plot([1, 2], nargout=1)
    m.set(h, "linew", 3, "MARKER", "s")
    assert m.get(h, "LineWidth", nargout=1) == 3
    assert m.get(h, "Marker", nargout=1) == "square"
    assert m.get(h, "Type", nargout=1) == "line"


@pytest.mark.parametrize(
    ("name", "value", "identifier"),
    [
        ("Nonsense", 1, "MATLAB:hg:InvalidProperty"),
        ("LineWidth", "wide", "MATLAB:hg:InvalidPropertyValue"),
        ("LineStyle", "wavy", "MATLAB:hg:InvalidPropertyValue"),
        ("Visible", "perhaps", "MATLAB:hg:InvalidPropertyValue"),
        ("Color", "mauve", "MATLAB:hg:ColorSpec"),
        ("Marker", "q", "MATLAB:hg:InvalidPropertyValue"),
    ],
)
def test_wrong_properties_are_errors(m: Plotter, name: str, value: object, identifier: str) -> None:
    h = m.plot([1, 2], nargout=1)
    with pytest.raises(MatlabError) as problem:
        m.set(h, name, value)
    assert problem.value.identifier == identifier


def test_a_property_set_by_hand_turns_its_mode_manual(m: Plotter) -> None:
    m.plot([1, 2])
    axes = m.gca(nargout=1)
    assert m.get(axes, "XTickMode", nargout=1) == "auto"
    axes.set("XTick", np.array([[1.0, 1.5]]))
    assert m.get(axes, "XTickMode", nargout=1) == "manual"
    assert m.get(axes, "XTick", nargout=1).tolist() == [[1, 1.5]]
    assert [*m.get(axes, "XTickLabel", nargout=1).items()] == ["1", "1.5"]


def test_dots_read_and_write(m: Plotter) -> None:
    m.plot([1, 2])
    axes = m.gca(nargout=1)
    title = axes.get_member(m, "Title", None, 1)
    title.set_member(m, "String", "new")
    axes.set_member(m, "Title", title)
    assert title.get_member(m, "String", None, 1) == "new"
    axes.set_member(m, "XLabel", "also text")
    assert m.axes()["xlabel"]["String"] == "also text"


def test_arrays_of_handles(m: Plotter) -> None:
    h = m.plot([[1, 2], [3, 4]], nargout=1)
    assert isinstance(h, GraphicsArray)
    first = h.paren_get(m, (1.0,))
    assert first is h.items[0]
    m.set(h, "LineWidth", 4)
    assert m.get(h, "LineWidth", nargout=1).items() == [4, 4]
    joined = h.methods()["horzcat"](m, (first, h.items[1], first), 1)
    assert joined.shape == (1, 3)
    with pytest.raises(MatlabError, match="exceeds"):
        h.paren_get(m, (3.0,))


def test_deleted_objects_are_invalid(m: Plotter) -> None:
    h = m.plot([1, 2], nargout=1)
    m.figures.delete(h)
    assert m.isgraphics(h, nargout=1) is False
    assert m.axes()["children"] == []
    with pytest.raises(MatlabError, match="Invalid or deleted object"):
        m.set(h, "LineWidth", 2)


def test_figures_by_number(m: Plotter) -> None:
    m.figure(3)
    m.figure()
    assert m.figures.numbers() == [1, 3]
    assert m.ishandle([1, 2, 3], nargout=1).tolist() == [[True, False, True]]
    m.close(3)
    assert m.figures.numbers() == [1]
    assert m.figures.gcf().number == 1
    m.close("all")
    assert m.figures.numbers() == []


def test_findobj_searches_by_type_and_value(m: Plotter) -> None:
    m.plot([1, 2], "Tag", "mine")
    m.hold("on")
    m.plot([2, 3])
    found = m.findobj("Type", "line", nargout=1)
    assert len(items_of(found)) == 2
    assert m.findobj("Tag", "mine", nargout=1)["Tag"] == "mine"
    assert m.findobj("Tag", "other", nargout=1).size == 0


def test_set_with_cells_of_names(m: Plotter) -> None:
    h = m.plot([1, 2], nargout=1)
    m.set(h, Cell.of(["LineWidth", "Color"]), Cell.of([2.0, "g"]))
    assert (h["LineWidth"], h["Color"]) == (2, (0, 1, 0))


def test_only_changed_figures_are_told(m: Plotter) -> None:
    m.figure(1)
    m.plot([1, 2])
    m.figure(2)
    m.figures.flush()
    assert sorted(e.number for e in m.events) == [1, 2]
    m.events.clear()
    m.figures.flush()
    assert m.events == []
    m.title("x")
    m.figures.flush()
    assert [e.number for e in m.events] == [2]
    m.events.clear()
    m.close("all")
    m.figures.flush()
    assert m.events == [FigureClosed(1), FigureClosed(2), PicturesClosed(every=True)]


def test_events_can_be_pickled(m: Plotter) -> None:
    m.plot([1, 2, 3])
    m.legend("a")
    m.figures.flush()
    copy = pickle.loads(pickle.dumps(m.events[-1]))
    assert isinstance(copy, FigureUpdated)
    assert copy.figure["children"][0]["children"][0]["YData"]["array"].tolist() == [[1, 2, 3]]


def test_a_pickled_pin_has_no_buffer() -> None:
    assert pickle.loads(pickle.dumps(PinnedBuffer(object(), None, None, None))).native is None


def test_a_struct_of_all_properties(m: Plotter) -> None:
    h = m.plot([1, 2], nargout=1)
    fields = m.get(h, nargout=1).fields
    assert fields["LineStyle"] == "-"
    assert fields["Visible"] == "on"


def test_drawnow_shows_every_step_at_the_pace_of_a_screen(m: Plotter) -> None:
    started = time.perf_counter()
    for k in range(6):
        m.plot([1, k])
        m.drawnow()
    assert len(m.events) == 6
    assert time.perf_counter() - started > 4 / 60
    m.drawnow()
    assert len(m.events) == 6, "nothing has changed"


def test_drawnow_limitrate_leaves_states_out(m: Plotter) -> None:
    for k in range(50):
        m.plot([1, k])
        m.drawnow("limitrate")
    assert len(m.events) < 25
    m.figures.flush()
    last = m.events[-1]
    assert isinstance(last, FigureUpdated)
    assert last.figure["children"][0]["children"][0]["YData"]["array"].tolist() == [[1, 49]]


def test_numbers_stand_for_objects(m: Plotter) -> None:
    lines = m.plot([1, 2, 3], np.array([[1, 4], [2, 5], [3, 6.0]]), nargout=1)
    numbers = lines.to_double()
    assert np.array_equal(m.ishghandle(numbers, nargout=1), [[True], [True]])
    m.set(numbers, "LineWidth", 3)
    assert [line.get("LineWidth") for line in items_of(lines)] == [3, 3]
    assert m.isequal(m.handle(numbers, nargout=1), lines, nargout=1) is True
    m.delete(float(numbers[0, 0]))
    assert np.array_equal(m.ishghandle(numbers, nargout=1), [[False], [True]])
    with pytest.raises(MatlabError):
        m.get(float(numbers[0, 0]), "LineWidth", nargout=1)


def test_the_data_of_a_line_is_a_row_however_it_was_given(m: Plotter) -> None:
    h = m.plot(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]), nargout=1)
    assert m.get(h, "XData", nargout=1).tolist() == [[1, 2]]
    h.set("YData", np.array([[5.0], [6.0]]))
    assert m.get(h, "YData", nargout=1).tolist() == [[5, 6]]
