"""What stands in the head of a page."""
