"""What a reader looks at; everything here takes arrays, never models.

palette          one colour for one thing
plots            figures of weights, curves and groups
canvas_pictures  canvases with boxes and weights
diagrams         drawings of how a model computes
source           code straight from the package
widgets          interactive figures
"""
