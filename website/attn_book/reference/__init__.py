"""The package's own pages, made from its docstrings."""
