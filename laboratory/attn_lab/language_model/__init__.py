"""What do the heads of a language model do?"""
