"""What its makers try and measure: benchmarks, trials, other seeds."""
