"""Where is the mistake, and who knows the letter?"""
