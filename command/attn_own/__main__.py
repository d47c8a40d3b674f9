"""``python -m attn_course`` runs this."""

import sys

from attn_own.command import main

sys.exit(main())
