"""Converts any value to an attribute of a field. Returns None for a value that the attribute cannot carry."""

from __future__ import annotations

import base64
import dataclasses
import difflib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date, time
from enum import Enum
from typing import Union

from ._conventions import ALLOWED, RANGES, Attr, Field
from ._drops import drop, warn_once
from ._messages import instructions_of, messages_of

Attribute = Union[str, bool, int, float, Sequence[str]]

_MAX_DEPTH = 100
_CAPTURED = {"", "true", "1", "yes", "on", "span_only", "span_and_event"}
_NOT_CAPTURED = {"false", "0", "no", "off", "no_content", "event_only"}
_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_captured: bool | None = None


def capture_content(capture: bool) -> None:
    """Turns content capture on or off, overriding the environment."""
    global _captured
    _captured = capture


def content_captured() -> bool:
    """Returns whether spans carry content: requests, answers, arguments, results, error messages."""
    if _captured is not None:
        return _captured
    value = os.environ.get(_VARIABLE, "").strip().lower()
    if value not in _CAPTURED | _NOT_CAPTURED:
        warn_once(f"planspan: {_VARIABLE}={value} is unknown, so content is not captured. Set true or false.")
    return value in _CAPTURED


def encode(field: Field, value: object) -> Attribute | None:
    """Encodes a value by the type of its field. Logs a value that is not permitted, with the permitted ones."""
    attribute = _encode(field, value)
    allowed, limits = ALLOWED.get(field.key), RANGES.get(field.key)
    if attribute is None:
        drop(
            "value", field.key, f"the value must be of the type {field.type}, and is of the type {type(value).__name__}"
        )
    elif allowed and attribute not in allowed:
        drop("value", f"{field.key} = {attribute!r}", f"use {', '.join(allowed)}")
    elif limits and not (isinstance(attribute, float) and limits[0] <= attribute <= limits[1]):
        drop("value", f"{field.key} = {attribute!r}", f"use a number from {limits[0]} to {limits[1]}")
    else:
        return attribute
    return None


def drop_unknown(subject: str, name: str, known: Iterable[str]) -> None:
    """Counts a value under an unknown name, and logs the nearest name and all allowed names."""
    names = sorted(known)
    nearest = difflib.get_close_matches(name, names, 1)
    meant = f"use {nearest[0]!r}; " if nearest else ""
    drop("option", f"{name!r}, which {subject} does not have", f"{meant}the allowed names are {', '.join(names)}")


def _encode(field: Field, value: object) -> Attribute | None:
    if field.type == "boolean":
        return value if isinstance(value, bool) else None
    if field.type in ("int", "double"):
        return None if isinstance(value, bool) or not isinstance(value, (int, float)) else _number(field, value)
    if field.type == "string[]":
        texts = [text_of(item) for item in value] if isinstance(value, (list, tuple, Set)) else None
        return None if texts is None else [text for text in texts if text is not None]
    if field.type == "messages":
        speaker = "user" if field.key == Attr.INPUT_MESSAGES else "assistant"
        return json_of(messages_of(value if isinstance(value, str) else plain(value), speaker))
    if field.key == Attr.SYSTEM_INSTRUCTIONS:
        return json_of(instructions_of(plain(value)))
    return text_of(value) if field.type == "string" or _is_json(value) else json_of(value)


def _number(field: Field, value: float) -> Attribute | None:
    if field.type == "int":
        return int(value) if value == int(value) and abs(value) < 2**63 else None
    # Jaeger rejects traces with doubles that JSON does not have.
    return float(value) if math.isfinite(value) else str(value).replace("inf", "Infinity").replace("nan", "NaN")


def _is_json(value: object) -> bool:
    if not isinstance(value, str) or not re.match(r"\s*[\[{]", value):
        return False
    try:
        json.loads(value)
    except ValueError:
        return False
    return True


def text_of(value: object) -> str | None:
    """Returns text unchanged, and any other value as JSON."""
    return well_formed(value) if isinstance(value, str) else json_of(value)


def json_of(value: object) -> str | None:
    data = plain(value)
    if data is None and value is not None:
        return None
    return well_formed(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def well_formed(text: str) -> str:
    """Replaces lone surrogates, which UTF-8 cannot encode."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def is_data(value: object) -> bool:
    """Returns whether a value is data, and not an object of the agent's own."""
    is_plain = isinstance(value, (str, bool, int, float, list, tuple, Mapping))
    return is_plain or dataclasses.is_dataclass(value) or callable(getattr(value, "model_dump", None))


def plain(value: object, depth: int = 0) -> object:
    """Copies a value to JSON data. Returns None for values without data, such as streams, and below a maximum depth."""
    if value is None or isinstance(value, (str, bool, int)):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth > _MAX_DEPTH or isinstance(value, type) or hasattr(value, "__next__") or hasattr(value, "__anext__"):
        return None
    if isinstance(value, Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, Set)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": str(value)}
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return plain(dump(exclude_none=True), depth + 1)
    members = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    names = [member.name for member in members] or [name for name in getattr(value, "__dict__", ()) if name[0] != "_"]
    return {name: plain(getattr(value, name), depth + 1) for name in names} if names else str(value)
