"""Marks for answers, computed without running a student's code in the grader's process.

`marks` turns what a student wrote into points and feedback; `sandbox` is the process in which it
runs, `child` the program in there, `extract` its way from cells to a function, and `wire` the
language that both sides speak: JSON, never pickles. `remote` sends inputs and gradients there and
takes back results and gradients, so that the checks of the chapters can be used as they are.
`course` says what an answer may import of the course. `notebooks` reads what was handed in, and
`classroom` grades a folder of it.
"""
