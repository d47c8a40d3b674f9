"""Why something cannot be done, in one sentence for the user."""


class Refusal(Exception):
    """The command line prints the sentence and ends with exit code 2."""
