"""Widgets on pages without a kernel."""
