"""Figures in the window: pyqtgraph's view boxes and rulers around layers drawn by the device.

pyqtgraph takes most of a second to import, so nothing here is imported before the first figure.
"""
