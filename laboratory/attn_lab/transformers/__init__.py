"""What is each part of a Transformer for, and what does it cost?"""
