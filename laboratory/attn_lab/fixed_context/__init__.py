"""How much does one vector hold?"""
