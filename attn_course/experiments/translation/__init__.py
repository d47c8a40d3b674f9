"""Is attention alignment?"""
