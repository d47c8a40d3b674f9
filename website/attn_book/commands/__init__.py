"""What `make` calls to build, serve, pack and read the book."""
