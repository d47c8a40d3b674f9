"""Speed side by side with what a reader would use instead. Never part of the tests."""
