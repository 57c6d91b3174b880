"""The rules of all figures: what objects ask the modules that are made of objects."""

from __future__ import annotations

from app.engine.figures.computed_properties import GETTERS, SETTERS
from app.engine.figures.handle_methods import HANDLE_METHODS
from app.engine.figures.objects import ObjectRules
from app.engine.figures.ruler_values import numbers_on, prepare_ruler
from app.engine.figures.series_data import property_data
from app.engine.figures.shown_properties import shown_properties

RULES = ObjectRules(
    GETTERS, SETTERS, property_data, prepare_ruler, numbers_on, shown_properties, HANDLE_METHODS
)
