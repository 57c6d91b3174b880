"""A run on the adapter whose numbers the GPU panels show."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from tests.stories.conftest import Open
from tests.support.adapters import require_adapter
from tests.support.window import run

SCRIPT = """\
x = rand(2e5, 1, 'single');
y = sin(x) .* x + 0.5;
m = mean(y, 'all');
fprintf('%g\\n', m);
z = x * 2;
for k = 1:4
    z = z .* 0.5 + y;
    fprintf('%g\\n', max(z));
end
"""


def live(open_window: Open, qtbot: QtBot) -> MainWindow:
    """A window after a run on the adapter."""
    window = open_window(SCRIPT, device="gpu")
    run(window, qtbot)
    require_adapter(window.run_model.device.features)
    return window
