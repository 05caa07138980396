"""Reads documents as JSON lines on stdin and answers each on stdout: null, or why the original refuses it."""

from __future__ import annotations

import json
import sys
from typing import Callable


def answer(readers: dict[str, Callable[[str], None]]) -> None:
    """Answers with a reader for each dialect, which raises where the original would."""
    for line in sys.stdin:
        document = json.loads(line)
        try:
            readers[document["dialect"]](document["text"])
            refusal = None
        except Exception as error:  # noqa: BLE001 - whatever an original raises is its refusal
            refusal = f"{type(error).__name__}: {error}"
        print(json.dumps(refusal), flush=True)


def lines_of(text: str) -> list[str]:
    """The lines of JSON lines; `splitlines` would also break at U+2028, which JSON strings may hold."""
    return [line for line in text.split("\n") if line.strip()]


def expect_same(written: object, again: object, path: str = "") -> None:
    """Raises where the original, writing a document again, would leave out or change what stood in it."""
    if isinstance(written, dict) and isinstance(again, dict):
        for key, value in written.items():
            if key not in again:
                raise ValueError(f"{path}.{key} is not read")
            expect_same(value, again[key], f"{path}.{key}")
    elif isinstance(written, list) and isinstance(again, list) and len(written) == len(again):
        for index, (one, other) in enumerate(zip(written, again)):
            expect_same(one, other, f"{path}[{index}]")
    elif written != again:
        raise ValueError(f"{path} is read as {json.dumps(again)}, not {json.dumps(written)}")
