"""``python -m attn_course``: train, read and report, as `attn_own` does, if it is installed."""

import sys
from importlib.util import find_spec
from runpy import run_module

if __name__ == "__main__":
    if find_spec("attn_own") is None:
        sys.exit("these commands are in attn-own, which is not installed")
    run_module("attn_own", run_name="__main__", alter_sys=True)
