"""What students and those who teach them use.

exercises  hints, checks and solutions, grouped by module
grading    marks for what students hand in, from the same properties
"""
