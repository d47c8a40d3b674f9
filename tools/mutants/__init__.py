"""Mutation testing: change the code in small ways, and see which changes no test notices.

    changes      every small change of a Python source
    scripts      every small change of a JavaScript source
    targets      which files are changed, and which tests must notice
    trial        tests run on a changed copy, side by side
    equivalent   a file: changes that make no difference, each with the reason

A runner of our own: cosmic-ray starts Python and torch anew for each change, which takes six
seconds where the tests take one, and mutmut changes only what stands inside functions, which it
wraps so that the shapes in their signatures are lost. Neither draws a sample.
"""
