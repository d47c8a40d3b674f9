"""The grader in the systems that teachers have.

Each module is the thin side of one system: it finds out who handed in what, asks `classroom` for
the record, and writes it as that system wants it. Points and feedback are those of `make grade`.
`gradescope` and `classroom50` are programs that need nothing but the course; `nbgrader` and `otter`
are loaded by the systems of these names.
"""
