"""A chapter, from its file to what the page says of it."""
