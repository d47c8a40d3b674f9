"""What students and those who teach them use.

forbidden    what an exercise forbids raises an error, whatever calls it
exercises    hints, checks and solutions, grouped by module
grading      marks for what students hand in, from the same properties
assignments  what students get and what graders need, for several systems
own          the task on letters, and the seeds, that a student's own code stands for
own_claim    the claim of the book, and the change of its setting, that a code stands for
"""
