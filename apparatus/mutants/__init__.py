"""Mutation testing: change the code in small ways, and find the changes that no test notices.

    changes      every small change of a Python source
    scripts      every small change of a JavaScript source
    targets      which files are changed, and which tests must notice
    trial        run tests on changed copies, side by side
    equivalent   a file: changes that make no difference, each with the reason

This is our own runner. cosmic-ray starts Python and torch again for each change, which takes six
seconds while the tests take one. mutmut changes only what is inside functions, and wraps these, so
that the shapes in their signatures are lost. Neither can draw a sample.
"""
