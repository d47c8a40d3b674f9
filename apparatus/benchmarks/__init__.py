"""Speed and size, compared with what one would use instead. Not part of the tests."""
