"""Speed, size and fairness, compared with what one would use instead. Not part of the tests."""
