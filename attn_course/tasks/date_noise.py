"""What people type instead of what CLDR writes."""

NOISES = {}
