"""The pydantic models of the original systems, in checkouts below the folder that the first argument names."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

SOURCES = Path(sys.argv[1])


def modules_of(source: str, *names: str) -> list:
    """Both systems have packages of one name: each is imported for itself."""
    sys.path.insert(0, str(SOURCES / source))
    return [importlib.import_module(name) for name in names]


def commit_of(source: str) -> str:
    git = ["git", "-C", str(SOURCES / source), "rev-parse", "--short=8", "HEAD"]
    return subprocess.check_output(git, text=True).strip()
