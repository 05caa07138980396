"""Asks the source systems' own pydantic models what they take for a field, and writes pydantic-lax.json beside this.

Run with pydantic installed: python test/records/pydantic_lax.py DIR
DIR holds checkouts of manus-x and my-deep-research. `npm run format` puts the file into its usual form.
"""

from __future__ import annotations

import json
from pathlib import Path

import pydantic
from original_models import commit_of, modules_of
from pydantic import TypeAdapter
HERE = Path(__file__).parent
VALUE = "\0"

STEP = {"id": "1", "description": "d", "status": "pending", "result": None, "error": None, "success": False}
PLAN = {"id": "p", "title": "t", "goal": "g", "language": "en", "steps": [STEP], "message": None, "status": "pending"}
RUN = {
    "timestamp": "2025-10-28T10:00:00Z",
    "question": "q",
    "locale": "en",
    "context": "",
    "plan": {
        "topic": "t",
        "goal": "g",
        "steps": [
            {
                "id": "step-1",
                "title": "t",
                "step_type": "RESEARCH",
                "expected_outcome": "o",
                "notes": [{"source": "s", "claim": "c", "confidence": 0.5}],
            }
        ],
        "metadata": {"budget_tokens": 1, "budget_cost_usd": 0.5},
    },
    "review_log": [{"attempt": 1, "action": "ACCEPT_PLAN", "feedback": ""}],
    "telemetry": {
        "researcher": {
            "total_calls": 1,
            "total_notes": 1,
            "total_duration_seconds": 1.5,
            "calls": [{"step_id": "step-1", "query": "q", "note_count": 1, "applied_max_notes": 1}],
        }
    },
}
EVENT = {"type": "plan", "id": "e", "timestamp": "2026-01-15T13:54:50.123456", "plan": PLAN, "status": "created"}
SHOWN = {"event": "error", "data": {"event_id": "e", "timestamp": 1768485290, "error": "x"}}
SESSION = {
    "code": 0,
    "msg": "success",
    "data": {"session_id": "s", "title": None, "status": "completed", "events": [], "is_shared": False},
}

# Field, format of planspan, document, where the value stands in it.
FIELDS = [
    ("timestamp", "review-log", RUN, ["timestamp"]),
    ("question", "review-log", RUN, ["question"]),
    ("attempt", "review-log", RUN, ["review_log", 0, "attempt"]),
    ("note_count", "review-log", RUN, ["telemetry", "researcher", "calls", 0, "note_count"]),
    ("applied_max_notes", "review-log", RUN, ["telemetry", "researcher", "calls", 0, "applied_max_notes"]),
    ("total_duration_seconds", "review-log", RUN, ["telemetry", "researcher", "total_duration_seconds"]),
    ("confidence", "review-log", RUN, ["plan", "steps", 0, "notes", 0, "confidence"]),
    ("budget_tokens", "review-log", RUN, ["plan", "metadata", "budget_tokens"]),
    ("budget_cost_usd", "review-log", RUN, ["plan", "metadata", "budget_cost_usd"]),
    ("event.timestamp", "plan-act:events", EVENT, ["timestamp"]),
    ("event.plan.title", "plan-act:events", EVENT, ["plan", "title"]),
    ("event.step.success", "plan-act:events", EVENT, ["plan", "steps", 0, "success"]),
    ("event.step.status", "plan-act:events", EVENT, ["plan", "steps", 0, "status"]),
    ("shown.timestamp", "plan-act:sse", SHOWN, ["data", "timestamp"]),
    ("session.code", "plan-act:session", SESSION, ["code"]),
    ("session.is_shared", "plan-act:session", SESSION, ["data", "is_shared"]),
]

WORDS = ["", " ", "a", "null", "None", "true", "TRUE", "True", "t", "f", "T", "yes", "Yes", "no", "y", "n", "on"]
WORDS += ["OFF", "off"]
NUMBERS = ["0", "1", "2", "-1", "+1", "01", "00", "1.0", "1.5", "0.5", ".5", "1.", "-0", "1e3", "1E3"]
NUMBERS += ["1_000", "1__0", "_1", "1_"]
NUMBERS += [" 1", "1 ", "\t1\n", "1,0", "0x1", "١", "1 000"]
NUMBERS += ["--1", "+-1", "1.00", "1.0_0", "1_0.5", "1e400", "0.50", "1.0e0"]
NUMBERS += ["inf", "Infinity", "-inf", "+inf", "nan", "NaN", "infinity", "INF", "9007199254740993"]
NUMBERS += ["20000000000", "20000000001"]
NUMBERS += ["1700000000", "1700000000.5", "1700000000000"]
NUMBERS += ["-1700000000", "-20000000001", "1e10", "99999999999999999999"]
NUMBERS += ["9" * 5000]
TIMES = ["2025-10-28T10:00:00Z", "2025-10-28 10:00", "2025-10-28", "2025-10-28T10:00:00.123456789+0800"]
TIMES += ["2025-10-28T10:00:00+08"]
TIMES += ["2025-10-28t10:00:00z", "2025-10-28_10:00:00", "2025-02-30T10:00:00"]
TIMES += ["2025-10-28T25:00:00", "2025-10-28T10", "20251028"]
TIMES += ["2025-10-28T10:00:60", "0000-01-01T00:00:00", "0001-01-01", "9999-12-31T23:59:59.999999"]
TIMES += ["2025-10-28T10:00:00,5", " 2025-10-28"]
TIMES += ["2025-10-28T10:00:00 Z", "2025-10-28T10:00:00-00:00"]
TIMES += ["2025-10-28T10:00:00+24:00", "2025-10-28T10:00:00.", "10:00:00"]
TIMES += ["2025-10-28 ", "2025-10-28T10:00:00+23:59", "2025-10-28T10:00:00.1"]
TIMES += ["2025-1-1", "+2025-10-28", "2025-10-28T24:00:00"]
LITERALS = ["null", "true", "false", "0", "1", "2", "-1", "-0"]
LITERALS += ["0.0", "-0.0", "1.0", "2.0", "1.5", "0.5", "1e3", "1E-1", "1e400"]
LITERALS += ["NaN", "Infinity", "-Infinity", "9007199254740993", "9223372036854775808", "1.0e19"]
LITERALS += ["123456789012345678901234567890"]
LITERALS += ["20000000000", "20000000001", "-20000000000"]
LITERALS += ["-20000000001", "1700000000", "1700000000.5", "1700000000123"]
LITERALS += ["253402300799", "253402300800", "253402300799999", "253402300800000"]
LITERALS += ["-62135596800", "-62135596801000", "1e10", "1e11"]
LITERALS += ["-11676096000", "11676096000.5", "[]", "[1]", '["1"]', "{}", '{"a":1}']
VALUES = [json.dumps(text) for text in [*WORDS, *NUMBERS, *TIMES]] + LITERALS


def with_value(document: dict, path: list) -> str:
    copy = json.loads(json.dumps(document))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = VALUE
    return json.dumps(copy)


[persistence] = modules_of("my-deep-research", "src.models.persistence")
[event, shown, session, base] = modules_of(
    "manus-x/backend",
    "app.domain.models.event",
    "app.interfaces.schemas.event",
    "app.interfaces.schemas.session",
    "app.interfaces.schemas.base",
)
READERS = {
    "review-log": persistence.PlanRunRecord.model_validate_json,
    "plan-act:events": TypeAdapter(event.PlanEvent).validate_json,
    "plan-act:sse": shown.ErrorSSEEvent.model_validate_json,
    "plan-act:session": base.APIResponse[session.GetSessionResponse].model_validate_json,
}


def takes(dialect: str, text: str) -> bool:
    try:
        READERS[dialect](text)
        return True
    except pydantic.ValidationError:
        return False


fields = []
for name, dialect, document, path in FIELDS:
    template = with_value(document, path)
    hole = json.dumps(VALUE)
    taken = [value for value in VALUES if takes(dialect, template.replace(hole, value))]
    fields.append({"field": name, "dialect": dialect, "document": template.replace(hole, "$"), "taken": taken})

origin = {
    "pydantic": pydantic.VERSION,
    "manus-x": commit_of("manus-x"),
    "my-deep-research": commit_of("my-deep-research"),
}
written = json.dumps({"origin": origin, "values": VALUES, "fields": fields}, indent=1)
(HERE / "pydantic-lax.json").write_text(written + "\n", encoding="utf-8")
for each in fields:
    print(each["field"], len(each["taken"]), "of", len(VALUES))
