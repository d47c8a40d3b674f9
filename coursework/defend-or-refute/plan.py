PLAN = """what,value
kind,more
better,every step
other,start only
first,4
last,7
margin,0.06
steps,300 1200
seeds,120 156 188
rates,0.004 0.008 0.016 0.032
tested,200
expected,holds holds
"""
