"""Tools for the course: build, serve, archive, address, trials."""
