"""What cannot be done with what was given, in one sentence for whoever gave it."""


class Refusal(Exception):
    """The command line prints the sentence and ends with exit code 2."""
