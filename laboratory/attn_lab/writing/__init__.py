"""What does each part of a language model buy?"""
