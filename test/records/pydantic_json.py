"""Asks the source systems' own pydantic models which JSON they read, and writes pydantic-json.json beside this.

Run with pydantic installed: python test/records/pydantic_json.py DIR
DIR holds checkouts of manus-x and my-deep-research. `npm run format` puts the file into its usual form.
"""

from __future__ import annotations

import json
from pathlib import Path

import pydantic
from original_models import commit_of, modules_of
from pydantic import TypeAdapter
HERE = Path(__file__).parent

STEP = {"id": "1", "description": "d", "status": "pending", "result": None, "error": None, "success": False}
PLAN = {"id": "p", "title": "t", "goal": "g", "language": "en", "steps": [STEP], "message": None, "status": "pending"}
EVENT = {"type": "plan", "id": "e", "timestamp": "2026-01-15T13:54:50.123456", "plan": PLAN, "status": "created"}
NOTE = {"source": "s", "claim": "c", "confidence": 0.5}
RUN_STEP = {"id": "1", "title": "t", "step_type": "RESEARCH", "expected_outcome": "o", "notes": [NOTE]}
BUDGET = {"budget_tokens": 1, "budget_cost_usd": 0.5}
RUN_PLAN = {"topic": "t", "goal": "g", "steps": [RUN_STEP], "metadata": BUDGET}
REVIEW = {"attempt": 1, "action": "ACCEPT_PLAN", "feedback": ""}
RUN = {"timestamp": "2025-10-28T10:00:00Z", "question": "q", "locale": "en", "plan": RUN_PLAN, "review_log": [REVIEW]}

# Each value is a list of parts, each part a text of bytes and how often it stands there.
BYTES = ["\xff", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80"]
BYTES += ["\xed\xa0\xbd\xed\xb8\x80", "\xf4\x90\x80\x80", "caf\xe9", "\xf8\x88\x80\x80\x80", "\xef\xbb\xbf", "\xff\xfe"]
BYTES += ["\xef\xbf\xbf", "\xf0\x9f\x98\x80", "\xc2\x80", "\x7f", "\0", "\t", "\r", "\x1f", ""]
ESCAPES = [r"\ud800", r"\udc00", r"\ud800\ud800", r"\udc00\ud800", r"\ud83dx", r"\ud83d\n", r"\ud83d\ude00"]
ESCAPES += [r"\uD83D\uDE00", r"\ud83d\ude00\ude00", r"\ud83d\u0041", r"\ude00\ud83d\ude00", r"\ud8", r"\uzzzz"]
ESCAPES += [r"\u0000", r"\x41", r"\a", r"\'", r"\/", "\\ud83d\xed\xb8\x80"]
TEXTS = [[[f'"{text}"', 1]] for text in [*BYTES, *ESCAPES, *["a" + text + "b" for text in BYTES]]]
TEXTS += [[['"', 1], ["x", 100_000], ['"', 1]]]
DEPTHS = [1, 100, 127, 128, 190, 194, 195, 196, 197, 198, 199, 200, 201, 202, 256, 500, 999, 1000, 1001, 5000]
NESTED = [[["[", depth], ["]", depth]] for depth in DEPTHS]
NESTED += [[['{"a":', depth], ["1", 1], ["}", depth]] for depth in DEPTHS] + [[["[", 10]], [["[", 300]]]
CONSTANTS = ["NaN", "Infinity", "-Infinity", "+Infinity", "nan", "Inf", "-NaN", "-inf", "Infinit", "[NaN]"]
CONSTANTS += ["True", "None", "undefined", "tru", "nulll", "null", "true", "false"]
NUMBERS = ["0", "-0", "-1", "1.0", "1.5", "1e0", "1e2", "1E+2", "1e-2", "100e-2", "00", "01", "-01", "+1", ".5", "1."]
NUMBERS += ["1.e2", "1e", "1e+", "0x10", "1_000", "--1", "-", "9007199254740993", "9223372036854775807"]
NUMBERS += ["9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616"]
NUMBERS += ["1e308", "1e309", "-1e400", "1e-400", "1e99999", "1e20", "1e19", "9.3e18", "9.2e18", "1e300"]
LONG = [[["9", count]] for count in [309, 400, 4299, 4300, 4301, 10_000]] + [[["-", 1], ["9", 4300]]]
LONG += [[["-", 1], ["9", 4301]], [["0.", 1], ["1", 5000]], [["1.", 1], ["0", 5000]], [["1", 5000], [".0", 1]]]
LONG += [[['"', 1], ["9", count], ['"', 1]] for count in [310, 4300, 4301]]
NUMERIC_TEXTS = ["1", "1.0", "1.5", " 1 ", "1e2", "1_000", "+1", "1e400", "inf", "NaN", "1.0e0", "\xd9\xa1", r"\u0031"]
FORMS = ["{}", "[]", "{,}", "[1,]", "[,1]", '{"a": 1,}', "{'a': 1}", "{a: 1}", '{"a" 1}', '{1: 2}', '{"a": 1, "a": 2}']
FORMS += ['"abc', '"a" "b"', "1 2", "{} {}", "1 // x", "/* x */ 1", '{"__proto__": {"question": 1}}', "\x0c1", "\xc2\xa01"]
TIMES = ["2025-10-28", "2025-10-28T10:00", "2025-10-28T10:00:00\xe2\x88\x9201:00", "2025-10-28T10:00:00+24:00", "1e9"]
WORDS = ['"PROCESS"', *CONSTANTS, *NUMBERS, *[f'"{text}"' for text in [*NUMERIC_TEXTS, *TIMES]], *FORMS]
VALUES = [*TEXTS, *NESTED, *[[[word, 1]] for word in WORDS], *LONG]

HOLE = "$"
WHOLE = json.dumps(RUN)


def at(document: dict, key: str) -> str:
    """The document with a hole for the value of a key."""
    text = json.dumps(document)
    value = json.dumps(next(found for found in values_of(document, key)))
    return text.replace(f'"{key}": {value}', f'"{key}": {HOLE}', 1)


def values_of(holder: object, key: str):
    if isinstance(holder, dict):
        if key in holder:
            yield holder[key]
        holder = list(holder.values())
    if isinstance(holder, list):
        for each in holder:
            yield from values_of(each, key)


# Format of planspan, and a document with a hole.
PLACES = {
    "a text": ("review-log", at(RUN, "question")),
    "a word": ("review-log", at(RUN, "step_type")),
    "a time": ("review-log", at(RUN, "timestamp")),
    "a whole number": ("review-log", at(RUN, "budget_tokens")),
    "a whole number from 1": ("review-log", at(RUN, "attempt")),
    "a number": ("review-log", at(RUN, "budget_cost_usd")),
    "a number up to 1": ("review-log", at(RUN, "confidence")),
    "an unknown value": ("review-log", f'{WHOLE[:-1]}, "other": {HOLE}}}'),
    "an unknown value of a note": ("review-log", WHOLE.replace('"claim"', f'"other": {HOLE}, "claim"')),
    "a key": ("review-log", f"{WHOLE[:-1]}, {HOLE}: 1}}"),
    "the first value of a repeated key": ("review-log", WHOLE.replace('"question"', f'"question": {HOLE}, "question"')),
    "the last value of a repeated key": ("review-log", f'{WHOLE[:-1]}, "question": {HOLE}}}'),
    "text before the document": ("review-log", HOLE + WHOLE),
    "text behind the document": ("review-log", WHOLE + HOLE),
    "text between two members": ("review-log", WHOLE.replace(', "locale"', f", {HOLE} \"locale\"")),
    "a text of an event": ("plan-act:events", at(EVENT, "goal")),
    "a switch of an event": ("plan-act:events", at(EVENT, "success")),
    "an unknown value of an event": ("plan-act:events", f'{json.dumps(EVENT)[:-1]}, "other": {HOLE}}}'),
}

# Around a document there are other things, too: byte order marks, space, a second document.
AROUND = ["\xef\xbb\xbf", "\xef\xbb\xbf\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", " ", "\t", "\r", "\x0c", "\x0b", "\xc2\xa0"]
AROUND += ["\xe2\x80\xa8", "\xc2\x85", "\xe2\x80\x8b", "\0", ",", ";", "}", "]", "{}", "x", "1", "null", "// x", "#"]
AROUND += [" \xef\xbb\xbf", WHOLE, " " + WHOLE, "," + WHOLE]
VALUES += [[[text, 1]] for text in AROUND]


[persistence] = modules_of("my-deep-research", "src.models.persistence")
[event] = modules_of("manus-x/backend", "app.domain.models.event")
READERS = {
    "review-log": persistence.PlanRunRecord.model_validate_json,
    "plan-act:events": TypeAdapter(event.PlanEvent).validate_json,
}


def reads(dialect: str, document: str, parts: list) -> bool:
    value = "".join(text * count for text, count in parts)
    try:
        READERS[dialect](document.replace(HOLE, value, 1).encode("latin-1"))
        return True
    except pydantic.ValidationError:
        return False


places = []
for name, (dialect, document) in PLACES.items():
    read = [index for index, parts in enumerate(VALUES) if reads(dialect, document, parts)]
    places.append({"place": name, "dialect": dialect, "document": document, "read": read})
    print(name, len(read), "of", len(VALUES))

origin = {
    "pydantic": pydantic.VERSION,
    "manus-x": commit_of("manus-x"),
    "my-deep-research": commit_of("my-deep-research"),
}
written = json.dumps({"origin": origin, "values": VALUES, "places": places}, indent=1)
(HERE / "pydantic-json.json").write_text(written + "\n", encoding="utf-8")
