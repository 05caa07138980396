"""Reads the usage of a model call, under planspan's names or a provider's."""

from __future__ import annotations

from collections.abc import Mapping

from ._conventions import USAGE_NAMES


def usage_of(usage: object) -> dict[str, int]:
    """Returns the tokens by field. Input tokens include cached tokens, and output tokens include reasoning."""
    given = {value: _first(usage, names) for value, names in USAGE_NAMES.items()}
    beside = [given["cache_read_beside"], given["cache_write_beside"]]
    read, written = _known(given["cache_read"], beside[0]), _known(given["cache_write"], beside[1])
    reasoning = given["reasoning"]
    cached = _sum(read, written)
    whole = given["input"]
    entered = _sum(_known(whole, given["input_beside_cache"]), given["input_beside"])
    known_beside = _sum(*beside) if whole is None else None
    output = _sum(given["output"], given["output_beside"])
    rest = (given["total"] or 0) - (_sum(entered, known_beside) or 0) - (output or 0)
    # A part that is larger than the whole, or that the total needs, was reported beside it.
    if known_beside is None and cached and entered is not None:
        known_beside = cached if cached > entered or rest in (cached, cached + (reasoning or 0)) else None
    if reasoning and output is not None:
        lacks = reasoning > output or rest == (cached or 0) + reasoning or (rest == reasoning and rest != cached)
        output = output + reasoning if lacks else output
    tokens = {
        "input_tokens": _sum(entered, known_beside),
        "output_tokens": output,
        "cache_read_tokens": read,
        "cache_write_tokens": written,
        "reasoning_tokens": reasoning,
    }
    return {name: count for name, count in tokens.items() if count is not None}


def _first(usage: object, names: tuple[str, ...]) -> int | None:
    for name in names:
        value = usage
        for key in name.split("."):
            value = value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _known(*counts: int | None) -> int | None:
    return next((count for count in counts if count is not None), None)


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
