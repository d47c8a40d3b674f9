"""Is the likeliest translation the best?"""
