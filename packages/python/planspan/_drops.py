"""Counts what is dropped, and logs each reason once."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

Kind = Literal["value", "option", "ended", "error"]

P = ParamSpec("P")

_MAX_WARNINGS = 1_000
_logger = logging.getLogger("planspan")
_counts: Counter[str] = Counter()
_logged: set[str] = set()


def drop_counts() -> dict[str, int]:
    """Returns the number of things that planspan has dropped in this process so far, by kind."""
    return dict(_counts)


def drop(kind: Kind, what: str, advice: str) -> None:
    """Counts a dropped value, and logs a warning once per value."""
    _counts[kind] += 1
    warn_once(f"planspan: dropped {what}: {advice}. Logged once; drop_counts() returns the totals.")


def warn_once(message: str) -> None:
    if message in _logged or len(_logged) >= _MAX_WARNINGS:
        return
    _logged.add(message)
    _logger.warning("%s", message)


def quietly(method: Callable[P, None]) -> Callable[P, None]:
    """Makes a method count and log its errors instead of raising them into the agent."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(*args, **kwargs)
        except Exception as error:  # Nothing may disturb the agent.
            drop("error", f"a call of {method.__qualname__}()", f"{type(error).__name__}: {error}")

    return call
