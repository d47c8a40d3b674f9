"""``python -m attn_course``: train and read, as `attn_course.capstone.command` says."""

import sys

from attn_course.capstone.command import main

if __name__ == "__main__":
    sys.exit(main())
