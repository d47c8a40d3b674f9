"""A training's folder: every file is written whole or not at all, by one training at a time."""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from attn_own.wording import Refusal


def write_whole(path: Path, contents: bytes) -> None:
    """Write a file so that there is never half of it: what was there before stays until the end."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise Refusal(
                f"{path} could not be written: {error.strerror or error}. What was there "
                "before is unchanged"
            ) from None
        raise


def write_json(path: Path, value: object) -> None:
    write_whole(path, json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8"))


def write_tensors(path: Path, value: object) -> None:
    """Tensors, numbers, texts and lists of them, as `read_tensors` reads them."""
    buffer = io.BytesIO()
    torch.save(value, buffer)
    write_whole(path, buffer.getvalue())


def read_json(path: Path) -> object:
    """What `write_json` wrote."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Refusal(f"{path} cannot be read: {error}") from None


def read_tensors(path: Path) -> dict:
    """What `write_tensors` wrote; nothing in the file is ever run as a program."""
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError) as error:
        raise Refusal(f"{path} cannot be read: {error!s:.120}") from None
    except (pickle.UnpicklingError, zipfile.BadZipFile):
        raise Refusal(f"{path} is damaged, or was not written by this program") from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder, and keep every other training out of it; a kill opens the lock too.

    What a killed training had half written is deleted.
    """
    if folder.is_file():
        raise Refusal(f"{folder} is a file; expected a folder to train into")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("w")
    except OSError as error:
        raise Refusal(f"{folder} cannot be written to: {error.strerror}") from None
    with file:
        try:
            _lock(file)
        except OSError:
            raise Refusal(f"another training is running in {folder}") from None
        for part in folder.glob(".*.part"):
            part.unlink(missing_ok=True)
        yield


def _lock(file) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
