"""``python -m attn_course``: train a model on your own pairs, read with it, report on it.

`attn_own.options` reads what is asked for, and `attn_own.actions` does it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from attn_own.options import parsed
from attn_own.wording import Refusal


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 for a refusal, 130 for an interrupt."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    options = None
    try:
        options = parsed(arguments)
        from attn_course.training import on_device, one_thread  # not above: --help needs no torch
        from attn_own import actions
        from attn_own.devices import named_device

        with one_thread(), on_device(named_device(options.device)):
            getattr(actions, options.command)(options)
    except Refusal as refusal:
        print(f"{refusal}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        trains = options is not None and options.command in ("train", "example")
        more = " What was saved is complete; the same command goes on." if trains else ""
        print(f"Interrupted.{more}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # as of `... | head`
        sys.stdout = None
        return 0
    except OSError as error:  # of a name that is too long, or in a folder that nobody may open
        if error.filename is None:
            raise
        print(f"{error.filename} cannot be opened: {error.strerror}.", file=sys.stderr)
        return 2
    return 0
