"""Widgets: they get values and post messages, and know no screen."""
