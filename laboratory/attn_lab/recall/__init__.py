"""How many pairs does a memory hold?"""
