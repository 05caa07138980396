"""Agents on a client of a model's provider: planspan describes the plan, its agent, cycles and tools; OpenTelemetry's
own instrumentation of the client describes the model calls."""

import json
import sys
from pathlib import Path

from stories import Traces, endpoint, play, start_official_telemetry

sys.path.append(str(Path(__file__).parents[2] / "packages/python"))

from planspan import agent, cycle, plan, register, tool  # noqa: E402

PARAMETERS = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def start_client_telemetry(service, instrumentor):
    """Records the contents of planspan's own spans, wherever the instrumentation writes its messages."""
    start_official_telemetry(service, instrumentor, processors=[Traces()])
    register(endpoint=endpoint, capture_content=True)


def play_client(start_chat):
    """Plays a story. `start_chat(agent, request, stream)` returns an object with `ask()`, which returns the model's text
    and calls as (id, name, arguments), and `tell(id, name, result)`."""

    async def run(story):
        spec = story.first
        chat = start_chat(spec, story.request, story.stream)
        tools = {each.name: each for each in spec.tools}
        with plan(story.workflow or spec.name, request=story.request, conversation_id=story.conversation) as p:
            with agent(spec.name, request=story.request) as a:
                while True:
                    with cycle():
                        text, calls = await chat.ask()
                        for call_id, name, arguments in calls:
                            chat.tell(call_id, name, call_tool(tools[name], call_id, arguments))
                    if not calls:
                        a.result(text)
                        p.set(summary=text)
                        return text

    play(run)


def call_tool(spec, call_id, arguments):
    try:
        with tool(spec.name, call_id=call_id, arguments=json.dumps(arguments)) as t:
            if spec.error:
                raise RuntimeError(spec.error)
            t.result(spec.result)
            return spec.result
    except RuntimeError as error:
        return str(error)
