"""Trials of the places where readers meet the course, without the services themselves."""
