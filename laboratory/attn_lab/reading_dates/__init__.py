"""Must attention be learnt, and what does it buy?"""
