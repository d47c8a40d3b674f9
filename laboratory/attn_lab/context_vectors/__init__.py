"""What is averaged, and where does the result go?"""
