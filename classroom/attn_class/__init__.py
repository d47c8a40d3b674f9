"""What students and those who teach them use.

forbidden    what an exercise forbids raises an error, whatever calls it
exercises    hints, checks and solutions, grouped by module
grading      marks for what students hand in, from the same properties
assignments  what students get and what graders need, for several systems
"""
