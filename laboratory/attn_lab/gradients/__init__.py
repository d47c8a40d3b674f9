"""Does the gradient arrive, and does it help?"""
