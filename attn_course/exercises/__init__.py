"""Exercises: one file each, with what the answer must do and one solution.

    from attn_course.exercises.alignment import additive_score
    additive_score.check(my_score)                        # what holds, and what does not
    show_source(additive_score.solution, folded="A solution")

They are grouped by the module that they are about. `frame` is what they share. A new exercise is
a new file here, and one with right and wrong answers at the same place in ``tests/exercises``;
nothing else needs to know of it.
"""
