"""Speed, compared with what a reader would use instead. Never part of the tests."""
