"""What comes of a corpus that nobody prepared?"""
