"""``python -m attn_course``: train, read and report, as `attn_course.capstone.command` says."""

import sys

from attn_course.capstone.command import main

if __name__ == "__main__":
    sys.exit(main())
