"""Do maps of attention tell the truth?"""
