"""Exercises: one file each, with a solution and what an answer must do as it does.

    from attn_class.exercises.alignment import additive_score
    additive_score.check(my_score)                        # what holds, and what does not
    show_source(additive_score.solution, folded="A solution")

They are grouped by the module that they are about; `frame` is what they share. To add one, add a
file here and a file with right answers at the same place in ``specimens/exercises``. Nothing else
has to change, unless a chapter is to show it.
"""
