"""ManusX's own pydantic models read domain events, the SSE stream and a session's answer."""

from __future__ import annotations

import json
import sys

from pydantic import TypeAdapter

from answer import answer, expect_same, lines_of

sys.path.insert(0, f"{sys.argv[1]}/backend")
from app.domain.models.event import AgentEvent  # noqa: E402
from app.interfaces.schemas.base import APIResponse  # noqa: E402
from app.interfaces.schemas.event import EventMapper  # noqa: E402
from app.interfaces.schemas.session import GetSessionResponse  # noqa: E402

EVENTS = TypeAdapter(AgentEvent)
SSE_EVENTS = EventMapper._get_event_type_mapping()


def without_times(value: object) -> object:
    """A document without its times, which each of ManusX's models writes in a way of its own."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in ("timestamp", "upload_date")}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def read_event(data: dict) -> None:
    event = EVENTS.validate_json(json.dumps(data))
    if event.type != data["type"]:
        raise ValueError(f"a {data['type']} event is read as a {event.type} event")
    expect_same(without_times(data), without_times(json.loads(event.model_dump_json())), data["type"])


def read_sse_event(event: str, data: dict) -> None:
    read = SSE_EVENTS[event].sse_event_class.model_validate_json(json.dumps({"event": event, "data": data}))
    expect_same(without_times(data), without_times(json.loads(read.data.model_dump_json())), event)


def read_events(text: str) -> None:
    for line in lines_of(text):
        entry = json.loads(line)
        # Redis keeps an event below the stream's id, Mongo keeps it alone.
        read_event(entry.get("data", entry))


def read_sse(text: str) -> None:
    for frame in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if line and not line.startswith(":"))
        if fields:
            read_sse_event(fields["event"], json.loads(fields["data"]))


def read_session(text: str) -> None:
    APIResponse[GetSessionResponse].model_validate_json(text)
    for event in json.loads(text)["data"]["events"]:
        read_sse_event(event["event"], event["data"])


answer({"plan-act:events": read_events, "plan-act:sse": read_sse, "plan-act:session": read_session})
