PLAN = """what,value
kind,more
better,attention
other,one vector
margin,0.4
epochs,6 24
seeds,9 23 89
rates,0.004 0.008 0.016 0.032
expected,holds holds
context,yes
darkest,yes
swapped,yes
earlier,no
"""
