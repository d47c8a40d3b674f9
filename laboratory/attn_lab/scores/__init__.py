"""Which score, and what is its scale for?"""
