"""Right and wrong answers, of use to whoever checks a check; none of them is a test.

exercises   to each exercise at the place of its file; see `answers`
coursework  to the functions that the assignments ask for; not to be published
hostile     submissions that want points, files or the machine, but compute nothing
"""
